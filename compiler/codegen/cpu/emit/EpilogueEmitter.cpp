// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the epilogue of a nest on its accumulators: operation by operation, register by register.

#include "compiler/codegen/cpu/emit/EpilogueEmitter.h"

#include "compiler/codegen/common/Aliasing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace plumb;

EpilogueEmitter::EpilogueEmitter(KernelState &state, VectorLoads &loads, const Epilogue &epilogue)
    : state(state), loads(loads), builder(state.builder), nest(state.nest), plan(state.plan), epilogue(epilogue) {
  for (const EpilogueOp &fused : epilogue.ops) {
    linalg::LinalgOp follower = fused.op;
    bodies.emplace_back(follower, state.target);
    SmallVector<Value> &initial = starts.emplace_back();
    for (int64_t result = 0; result < follower.getNumDpsInits(); ++result) {
      linalg::FillOp fill = fused.folds ? nullptr : findInitialFill(follower, result);
      initial.push_back(fill ? fill.getInputs()[0] : Value());
    }
  }
}

void EpilogueEmitter::addOperands(Point &point) {
  for (const EpilogueOp &fused : epilogue.ops)
    for (Value operand : fused.op->getOperands()) {
      bool isBuffer = isa<MemRefType>(operand.getType());
      const LinearAccess &access = nest.accesses[state.flatOperands.size()];
      Value flat = isBuffer ? flattenBuffer(builder, getReshaped(operand)) : operand;
      state.flatOperands.push_back({flat, access.strides, access.strides});
      point.operands.push_back({Value(), access.offset});
    }
}

/// The number of the slot that is `steps` steps along tile `tile` from `slot`.
static unsigned moveSlot(unsigned slot, unsigned tile, int64_t steps, ArrayRef<int64_t> counts, unsigned vectors) {
  int64_t distance = vectors;
  for (int64_t count : counts.drop_front(tile + 1))
    distance *= count;
  return slot + steps * distance;
}

/// Whether `slot` holds the first element of a pooling window.
bool EpilogueEmitter::beginsWindow(const AccumulatorSlot &slot) const {
  for (const PoolingWindow &window : nest.windows)
    for (auto [tile, step] : llvm::zip_equal(plan.tiles, slot.steps))
      if (tile.loop == window.loop && step % window.size != 0)
        return false;
  return true;
}

Value EpilogueEmitter::loadResult(unsigned access, const Point &at, const AccumulatorSlot &slot) {
  if (!isa<MemRefType>(state.flatOperands[access].flat.getType()))
    return state.flatOperands[access].flat;
  return loads.load(access, at.operands[access], slot.width);
}

void EpilogueEmitter::storeResult(unsigned number, Value value, const Point &at, const AccumulatorSlot &slot) {
  if (!epilogue.isStored(number))
    return;
  unsigned access = epilogue.values[number].access;
  LaneShape shape{plan.lanes, slot.width, nest.stride(access, plan.laneLoop)};
  storeLanes(builder, value, state.flatOperands[access].flat, at.operands[access], shape, state.target);
}

/// Emits the operation's body for `element`, a slot of the pooling window that begins at `slot` or that slot itself,
/// with `results` as accumulators.
SmallVector<Value> EpilogueEmitter::runBody(unsigned number, unsigned slot, unsigned element, ArrayRef<int64_t> indices,
                                            const Point &at, ArrayRef<Value> results) {
  const EpilogueOp &fused = epilogue.ops[number];
  linalg::LinalgOp follower = fused.op;
  SmallVector<Value> arguments;
  for (unsigned operand = 0; operand < follower.getNumDpsInputs(); ++operand) {
    int source = fused.sources[operand];
    bool isUsed = !follower.getBlock()->getArgument(operand).use_empty();
    if (source >= 0)
      arguments.push_back(values[source][epilogue.values[source].pooled ? slot : element]);
    else
      arguments.push_back(isUsed ? loadResult(fused.firstAccess + operand, at, state.slots[slot]) : Value());
  }
  llvm::append_range(arguments, results);
  return bodies[number].replay(builder, arguments, plan.lanes, [&](unsigned loop) -> Value {
    Value index = arith::ConstantIndexOp::create(builder, indices[fused.windows[loop]]);
    return broadcastTo(builder, index, plan.lanes);
  });
}

/// The operation's results for one slot, or for the pooling window that begins there.
SmallVector<Value> EpilogueEmitter::emitOp(unsigned number, unsigned slot, const Point &at) {
  const EpilogueOp &fused = epilogue.ops[number];
  SmallVector<Value> results;
  for (Value start : starts[number])
    results.push_back(start ? broadcastTo(builder, start, plan.lanes) : start);
  auto run = [&](unsigned element, ArrayRef<int64_t> indices) {
    results = runBody(number, slot, element, indices, at, results);
  };
  if (fused.pools())
    forEachWindowElement(fused, slot, run);
  else
    run(slot, {});
  return results;
}

/// Visits the slots of the pooling window that begins at `slot`, in the order of the operation's loops.
void EpilogueEmitter::forEachWindowElement(const EpilogueOp &fused, unsigned slot,
                                           llvm::function_ref<void(unsigned, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> indices(nest.windows.size());
  auto step = [&](auto &&self, unsigned loop, unsigned element) -> void {
    if (loop == fused.windows.size())
      return visit(element, indices);
    if (fused.windows[loop] < 0)
      return self(self, loop + 1, element);
    const PoolingWindow &window = nest.windows[fused.windows[loop]];
    const auto *tile = llvm::find_if(plan.tiles, [&](const RegisterTile &held) { return held.loop == window.loop; });
    for (int64_t index = 0; index < window.size; ++index) {
      indices[fused.windows[loop]] = index;
      self(self, loop + 1, moveSlot(element, tile - plan.tiles.begin(), index, state.counts, state.widths.size()));
    }
  };
  step(step, 0, slot);
}

void EpilogueEmitter::emit(const Point &point, ArrayRef<Value> accumulators) {
  // Values loaded inside the reduction loops do not dominate the epilogue.
  loads.clear();
  values.assign(epilogue.values.size(), SmallVector<Value>(state.slots.size()));
  for (auto [number, slot] : llvm::enumerate(state.slots))
    for (unsigned result = 0; result < state.outputs(); ++result) {
      Value value = accumulators[number * state.outputs() + result];
      values[result][number] = value;
      storeResult(result, value, state.pointOf(point, slot), slot);
    }
  for (auto [number, fused] : llvm::enumerate(epilogue.ops)) {
    if (fused.folds) {
      emitFold(number, point);
      continue;
    }
    for (auto [index, slot] : llvm::enumerate(state.slots)) {
      if (epilogue.values[fused.firstValue].pooled && !beginsWindow(slot))
        continue;
      Point at = state.pointOf(point, slot);
      for (auto [result, value] : llvm::enumerate(emitOp(number, index, at))) {
        values[fused.firstValue + result][index] = value;
        storeResult(fused.firstValue + result, value, at, slot);
      }
    }
  }
}
