// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages after a nest, on its accumulators: stage by stage, register by
// register.

#include "compiler/codegen/common/Places.h"
#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace plumb;

void Emitter::setEpilogue(const Epilogue &stages) {
  epilogue = &stages;
  for (const EpilogueStage &stage : stages.stages) {
    linalg::LinalgOp stageOp = stage.op;
    stageBodies.emplace_back(stageOp, target);
    SmallVector<Value> &starts = stageStarts.emplace_back();
    for (int64_t result = 0; result < stageOp.getNumDpsInits(); ++result) {
      linalg::FillOp fill =
          stage.folds ? nullptr : findInitialFill(stageOp, result);
      starts.push_back(fill ? fill.getInputs()[0] : Value());
    }
  }
}

/// Adds where the operands of the stages stand in iteration zero.
void Emitter::addStageOrigins(Point &point) {
  if (!epilogue)
    return;
  for (const EpilogueStage &stage : epilogue->stages)
    for (Value operand : stage.op->getOperands()) {
      bool isBuffer = isa<MemRefType>(operand.getType());
      const LinearAccess &access = nest.accesses[walks.size()];
      Value flat = isBuffer ? flattenBuffer(builder, getReshaped(operand))
                            : operand;
      walks.push_back({flat, access.strides, access.strides});
      point.operands.push_back({Value(), access.offset});
    }
}

/// The number of the cell `steps` along tile `tile` after `cell`.
static unsigned moveCell(unsigned cell, unsigned tile, int64_t steps,
                         ArrayRef<int64_t> counts, unsigned pieces) {
  int64_t distance = pieces;
  for (int64_t count : counts.drop_front(tile + 1))
    distance *= count;
  return cell + steps * distance;
}

/// Whether a window of a pooled value begins at `cell`.
bool Emitter::beginsWindow(const Cell &cell) const {
  for (const LinearWindow &window : nest.windows)
    for (auto [tile, step] : llvm::zip_equal(plan.tiles, cell.steps))
      if (tile.loop == window.loop && step % window.size != 0)
        return false;
  return true;
}

Value Emitter::loadResult(unsigned access, const Point &at, const Cell &cell) {
  if (!isa<MemRefType>(walks[access].flat.getType()))
    return walks[access].flat;
  return loadOnce(access, at.operands[access], cell.width);
}

void Emitter::storeResult(unsigned number, Value value, const Point &at,
                          const Cell &cell) {
  if (!epilogue->isStored(number))
    return;
  unsigned access = epilogue->values[number].access;
  LaneShape shape{plan.lanes, cell.width, nest.stride(access, plan.laneLoop)};
  storeLanes(builder, value, walks[access].flat, at.operands[access], shape, target);
}

/// The stage's body on `element`, one of `cell`'s window or the cell itself, and
/// on what `results` hold so far.
SmallVector<Value> Emitter::runBody(unsigned number, unsigned cell,
                                    unsigned element, ArrayRef<int64_t> places,
                                    const Point &at, ArrayRef<Value> results) {
  const EpilogueStage &stage = epilogue->stages[number];
  linalg::LinalgOp stageOp = stage.op;
  SmallVector<Value> arguments;
  for (unsigned operand = 0; operand < stageOp.getNumDpsInputs(); ++operand) {
    int source = stage.sources[operand];
    bool isUsed = !stageOp.getBlock()->getArgument(operand).use_empty();
    if (source >= 0)
      arguments.push_back(
          held[source][epilogue->values[source].pooled ? cell : element]);
    else
      arguments.push_back(
          isUsed ? loadResult(stage.firstAccess + operand, at, cells[cell])
                 : Value());
  }
  llvm::append_range(arguments, results);
  return stageBodies[number].replay(
      builder, arguments, plan.lanes, [&](unsigned loop) -> Value {
        Value place = arith::ConstantIndexOp::create(
            builder, places[stage.windows[loop]]);
        return broadcastTo(builder, place, plan.lanes);
      });
}

/// The stage's results for the elements of one cell, or for its window.
SmallVector<Value> Emitter::runStage(unsigned number, unsigned cell,
                                     const Point &at) {
  const EpilogueStage &stage = epilogue->stages[number];
  SmallVector<Value> results;
  for (Value start : stageStarts[number])
    results.push_back(start ? broadcastTo(builder, start, plan.lanes) : start);
  auto run = [&](unsigned element, ArrayRef<int64_t> places) {
    results = runBody(number, cell, element, places, at, results);
  };
  if (stage.pools())
    forEachPlace(stage, cell, run);
  else
    run(cell, {});
  return results;
}

/// Visits the cells of the window that begins at `cell`, as the stage's loops
/// would.
void Emitter::forEachPlace(
    const EpilogueStage &stage, unsigned cell,
    llvm::function_ref<void(unsigned, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> places(nest.windows.size());
  auto step = [&](auto &&self, unsigned loop, unsigned element) -> void {
    if (loop == stage.windows.size())
      return visit(element, places);
    if (stage.windows[loop] < 0)
      return self(self, loop + 1, element);
    const LinearWindow &window = nest.windows[stage.windows[loop]];
    const auto *tile = llvm::find_if(plan.tiles, [&](const RegisterTile &held) {
      return held.loop == window.loop;
    });
    for (int64_t place = 0; place < window.size; ++place) {
      places[stage.windows[loop]] = place;
      self(self, loop + 1,
           moveCell(element, tile - plan.tiles.begin(), place, counts,
                    widths.size()));
    }
  };
  step(step, 0, cell);
}

void Emitter::emitEpilogue(const Point &point, ArrayRef<Value> accumulators) {
  // What was loaded inside of the reductions' loops is out of sight.
  loaded.clear();
  held.assign(epilogue->values.size(), SmallVector<Value>(cells.size()));
  for (auto [number, cell] : llvm::enumerate(cells))
    for (unsigned result = 0; result < outputs(); ++result) {
      Value value = accumulators[number * outputs() + result];
      held[result][number] = value;
      storeResult(result, value, pointOf(point, cell), cell);
    }
  for (auto [number, stage] : llvm::enumerate(epilogue->stages)) {
    if (stage.folds) {
      emitFold(number, point);
      continue;
    }
    for (auto [place, cell] : llvm::enumerate(cells)) {
      if (epilogue->values[stage.firstValue].pooled && !beginsWindow(cell))
        continue;
      Point at = pointOf(point, cell);
      for (auto [result, value] :
           llvm::enumerate(runStage(number, place, at))) {
        held[stage.firstValue + result][place] = value;
        storeResult(stage.firstValue + result, value, at, cell);
      }
    }
  }
}
