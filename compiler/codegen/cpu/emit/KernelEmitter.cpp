// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the code of a register tile. A `Point` is the position of every operand: its constant part moves inside a tile,
// its dynamic part with the loops. Loads of equal positions are shared within one iteration of the innermost loop, so
// overlapping windows load each vector once.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;

Emitter::Emitter(OpBuilder &rewriter, linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
                 const CpuTarget &target, const Epilogue &epilogue)
    : KernelState(rewriter, op, nest, plan, target), body(op, target), loads(*this), epilogue(*this, loads, epilogue),
      prefetcher(*this, epilogue), initial(op.getNumDpsInits()) {}

/// The point of iteration zero; scalar operands have no position.
Point Emitter::getOrigin() {
  Point point;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Value buffer = LinearNest::getBuffer(operand);
    bool isBuffer = isa<MemRefType>(operand.getType());
    const SmallVector<int64_t> &strides = nest.accesses[number].strides;
    flatOperands.push_back({isBuffer ? flattenBuffer(builder, buffer) : operand, strides, strides});
    point.operands.push_back({Value(), nest.accesses[number].offset});
  }
  epilogue.addOperands(point);
  prefetcher.addOperands(point);
  if (op.hasIndexSemantics())
    point.indices.resize(nest.loops());
  return point;
}

void Emitter::advance(Point &point, unsigned loop, int64_t by) const {
  for (auto [number, position] : llvm::enumerate(point.operands))
    position.constant += by * flatOperands[number].outer[loop];
  if (!point.indices.empty())
    point.indices[loop].constant += by;
}

void Emitter::advance(Point &point, unsigned loop, Value by) {
  llvm::SmallDenseMap<int64_t, Value> steps;
  auto add = [&](Position &position, int64_t stride) {
    if (stride == 0)
      return;
    Value &step = steps[stride];
    if (!step)
      step = stride == 1 ? by : arith::MulIOp::create(builder, by, arith::ConstantIndexOp::create(builder, stride));
    position.dynamic = position.dynamic ? arith::AddIOp::create(builder, position.dynamic, step) : step;
  };
  for (auto [number, position] : llvm::enumerate(point.operands))
    add(position, flatOperands[number].outer[loop]);
  if (!point.indices.empty())
    add(point.indices[loop], 1);
}

void Emitter::emit() { emitLoops(0, getOrigin()); }

/// Lists the accumulators of the current tile, lanes varying fastest.
void Emitter::makeSlots() {
  slots.assign(1, AccumulatorSlot{});
  for (int64_t count : counts) {
    SmallVector<AccumulatorSlot> next;
    for (const AccumulatorSlot &slot : slots)
      for (int64_t step = 0; step < count; ++step) {
        next.push_back(slot);
        next.back().steps.push_back(step);
      }
    slots = std::move(next);
  }
  if (lanesReduce())
    return;
  SmallVector<AccumulatorSlot> next;
  for (const AccumulatorSlot &slot : slots)
    for (auto [number, width] : llvm::enumerate(widths)) {
      next.push_back(slot);
      next.back().firstLane = number * plan.lanes;
      next.back().width = width;
    }
  slots = std::move(next);
}

void Emitter::emitTile(Point point) {
  makeSlots();
  prefetcher.prefetchTile(point);
  prefetcher.prefetchOutputs(point);
  SmallVector<Value> accumulators = startAccumulators(point);
  addPartials(accumulators);
  accumulators = emitReductions(0, point, accumulators);
  combinePartials(accumulators);
  if (plan.interleavesOutputs)
    return finishInterleaved(point, accumulators);
  finishTile(point, accumulators);
}

/// Emits the epilogue where this is the last block, and stores the accumulators.
void Emitter::finishTile(const Point &point, ArrayRef<Value> accumulators) {
  if (lanesReduce())
    return finishLanes(point, accumulators);
  auto store = [&] { finish(point, accumulators); };
  if (epilogue.isEmpty())
    return store();
  if (!isLastBlock)
    return epilogue.emit(point, accumulators);
  auto region = [&](llvm::function_ref<void()> emit) {
    return [&, emit](OpBuilder &, Location) {
      emit();
      scf::YieldOp::create(builder);
    };
  };
  scf::IfOp::create(builder, isLastBlock, region([&] { epilogue.emit(point, accumulators); }), region(store));
}

/// The start of accumulators: the fill value, the output, or the neutral element where lanes are combined at the end.
/// Null where none is needed.
SmallVector<Value> Emitter::startAccumulators(const Point &point) {
  loads.clear();
  if (lanesReduce()) {
    SmallVector<Value> neutral;
    for (unsigned number = 0; number < slots.size() * outputs(); ++number)
      neutral.push_back(makeNeutral(op, number % outputs()));
    return neutral;
  }
  if (!isFirstBlock || llvm::none_of(initial, [](Value v) { return v; }))
    return startFrom(point, initial);
  // Later blocks of a reduction start from the output.
  SmallVector<Value> nothing(outputs());
  auto yield = [&](ArrayRef<Value> values) {
    return [&, values](OpBuilder &, Location) { scf::YieldOp::create(builder, startFrom(point, values)); };
  };
  auto choose = scf::IfOp::create(builder, isFirstBlock, yield(initial), yield(nothing));
  return SmallVector<Value>(choose.getResults());
}

/// One value per accumulator: the given value of its result, or the output's contents.
SmallVector<Value> Emitter::startFrom(const Point &point, ArrayRef<Value> values) {
  SmallVector<Value> starts;
  for (const AccumulatorSlot &slot : slots)
    for (unsigned result = 0; result < outputs(); ++result) {
      unsigned operand = outputOperand(result);
      if (!readsOutput(result)) {
        starts.push_back(Value());
      } else if (values[result]) {
        starts.push_back(broadcastTo(builder, values[result], plan.lanes));
      } else {
        Position position = pointOf(point, slot).operands[operand];
        starts.push_back(loads.load(operand, position, slot.width));
      }
    }
  return starts;
}

/// Emits the reduction loops from `depth` on, then the leaf; the lane loop comes last.
SmallVector<Value> Emitter::emitReductions(unsigned depth, Point point, SmallVector<Value> accumulators) {
  if (depth + 1 == plan.reductions.size() && prefetcher.countBlockParts() == 1)
    prefetcher.prefetchNextBlocks(point);
  if (depth < plan.reductions.size())
    return emitReductionLoop(depth, point, accumulators);
  if (lanesReduce())
    return emitLaneReduction(point, accumulators);
  loads.enterBlock();
  prefetcher.prefetchInputs(point);
  return emitLeaf(point, accumulators);
}

/// Emits one reduction loop over the iterations that exist.
SmallVector<Value> Emitter::emitReductionLoop(unsigned depth, Point point, SmallVector<Value> accumulators) {
  unsigned loop = plan.reductions[depth];
  const LinearBound *bound = nest.findBound(loop);
  if (bound && outerIndex.count(bound->parallel))
    return emitBoundReduction(depth, *bound, point, accumulators);
  if (bound && tileIndex.count(bound->parallel))
    return emitEdgedReduction(depth, *bound, point, accumulators);
  return emitReductionRange(depth, {0, extents[loop]}, point, accumulators);
}

/// Emits a loop of `size` iterations by `step`. The outermost one prefetches the operands of the epilogue.
SmallVector<Value> Emitter::emitIterations(unsigned depth, const Point &point, int64_t size, int64_t step,
                                           SmallVector<Value> accumulators, EmitIteration iteration) {
  SmallVector<LateAccess> late;
  if (depth == 0 && prefetcher.prefetchesInReduction())
    late = prefetcher.findLateAccesses();
  if (!late.empty() || (depth == 0 && prefetcher.countBlockParts() > 1))
    return emitInParts(point, size, step, late, accumulators, iteration);
  Value end = arith::ConstantIndexOp::create(builder, size);
  return emitCarriedLoop(plan.reductions[depth], Value(), end, step, point, accumulators, iteration);
}

/// Emits a loop unrolled by `unroll`, then the remaining iterations.
SmallVector<Value> Emitter::emitReductionRange(unsigned depth, IterationRange range, Point point,
                                               SmallVector<Value> accumulators) {
  unsigned loop = plan.reductions[depth];
  int64_t size = range.to - range.from, unroll = plan.unroll[loop];
  int64_t trips = size / unroll;
  advance(point, loop, range.from);
  auto unrolled = [&](Point at, int64_t count, SmallVector<Value> values) {
    bool isInner = !lanesReduce() && depth + 1 == plan.reductions.size();
    for (int64_t step = 0; step < count; ++step) {
      partial = isInner ? step % plan.partials : 0;
      values = emitReductions(depth + 1, at, values);
      advance(at, loop, 1);
    }
    partial = 0;
    return values;
  };
  if (trips > 1) {
    auto iteration = [&](Point inner, SmallVector<Value> values) { return unrolled(inner, unroll, values); };
    accumulators = emitIterations(depth, point, trips * unroll, unroll, accumulators, iteration);
  } else if (trips == 1) {
    accumulators = unrolled(point, unroll, accumulators);
  }
  advance(point, loop, trips * unroll);
  return unrolled(point, size % unroll, accumulators);
}

/// Emits the lane loop as a reduction: a loop over one vector per set of accumulators, then single vectors, then a
/// masked one.
SmallVector<Value> Emitter::emitLaneReduction(Point point, SmallVector<Value> accumulators) {
  int64_t whole = extents[plan.laneLoop] / plan.lanes;
  int64_t trips = whole / plan.partials;
  auto vectors = [&](Point at, int64_t count, SmallVector<Value> values) {
    leafWidth = plan.lanes;
    for (int64_t step = 0; step < count; ++step) {
      partial = step % plan.partials;
      loads.clear();
      values = emitLeaf(at, values);
      advance(at, plan.laneLoop, plan.lanes);
    }
    partial = 0;
    return values;
  };
  if (whole > 4 && trips > 1) {
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, value); };
    int64_t step = plan.partials * plan.lanes;
    auto loopOp = scf::ForOp::create(builder, index(0), index(trips * step), index(step), accumulators);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loopOp.getBody());
    Point inner = point;
    advance(inner, plan.laneLoop, loopOp.getInductionVar());
    SmallVector<Value> carried(loopOp.getRegionIterArgs());
    scf::YieldOp::create(builder, vectors(inner, plan.partials, carried));
    accumulators = SmallVector<Value>(loopOp.getResults());
    advance(point, plan.laneLoop, trips * step);
    whole -= trips * plan.partials;
  }
  accumulators = vectors(point, whole, accumulators);
  advance(point, plan.laneLoop, whole * plan.lanes);
  leafWidth = extents[plan.laneLoop] % plan.lanes;
  if (leafWidth == 0)
    return accumulators;
  loads.clear();
  return emitLeaf(point, accumulators);
}

/// The index of a loop as the body uses it: one number per lane.
Value Emitter::makeIndex(const Point &point, unsigned loop) {
  Value start = broadcastTo(builder, point.indices[loop].materialize(builder), plan.lanes);
  if (loop != plan.laneLoop)
    return start;
  auto type = VectorType::get({plan.lanes}, builder.getIndexType());
  Value step = vector::StepOp::create(builder, type);
  return arith::AddIOp::create(builder, start, step);
}

/// Emits the body once per accumulator.
SmallVector<Value> Emitter::emitLeaf(const Point &point, SmallVector<Value> accumulators) {
  Block &block = *op.getBlock();
  for (unsigned operand : plan.transposed)
    if (operand < outputOperand(0))
      loads.loadTransposed(point, operand, widths.front());
  for (auto [number, slot] : llvm::enumerate(slots)) {
    if (!exists(slot))
      continue;
    Point at = pointOf(point, slot);
    int64_t width = lanesReduce() ? leafWidth : slot.width;
    SmallVector<Value> arguments;
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
      bool isInput = operand < outputOperand(0);
      if (isInput && !block.getArgument(operand).use_empty())
        arguments.push_back(loads.load(operand, at.operands[operand], width));
      else
        arguments.push_back(isInput ? Value() : accumulators[indexOf(number, operand - outputOperand(0))]);
    }
    SmallVector<Value> results =
        body.replay(builder, arguments, plan.lanes, [&](unsigned loop) { return makeIndex(at, loop); });
    for (auto [result, value] : llvm::enumerate(results)) {
      Value &accumulator = accumulators[indexOf(number, result)];
      if (lanesReduce() && width < plan.lanes && !plan.zeroIsNeutral) {
        Value mask = makeMask(builder, plan.lanes, width);
        value = arith::SelectOp::create(builder, mask, value, accumulator);
      }
      accumulator = value;
    }
  }
  return accumulators;
}

void Emitter::finish(const Point &point, ArrayRef<Value> accumulators) {
  for (auto [number, slot] : llvm::enumerate(slots)) {
    Point at = pointOf(point, slot);
    for (unsigned result = 0; result < outputs(); ++result) {
      unsigned operand = outputOperand(result);
      if (llvm::is_contained(plan.transposed, operand))
        continue;
      LaneShape shape{plan.lanes, slot.width, nest.stride(operand, plan.laneLoop)};
      storeLanes(builder, accumulators[number * outputs() + result], flatOperands[operand].flat, at.operands[operand],
                 shape, target);
    }
  }
  finishTransposed(point, accumulators);
}

/// Transposes the squares of outputs that are contiguous along the tiled loop, and stores their rows.
void Emitter::finishTransposed(const Point &point, ArrayRef<Value> accumulators) {
  for (unsigned operand : plan.transposed) {
    if (operand < outputOperand(0))
      continue;
    SmallVector<Value> columns;
    for (unsigned number = 0; number < plan.lanes; ++number) {
      unsigned slot = number < slots.size() ? number : 0;
      columns.push_back(accumulators[slot * outputs() + operand - outputOperand(0)]);
    }
    SmallVector<Value> rows = transposeSquare(builder, columns);
    Position first = point.operands[operand];
    for (int64_t lane = 0; lane < widths.front(); ++lane) {
      Position position{first.dynamic, first.constant + lane * nest.stride(operand, plan.laneLoop)};
      storeLanes(builder, rows[lane], flatOperands[operand].flat, position, {plan.lanes, counts.front(), 1}, target);
    }
  }
}

/// Stores pairs of vectors; the tile's two steps are `widths` slots apart.
void Emitter::finishInterleaved(const Point &point, ArrayRef<Value> accumulators) {
  unsigned vectors = widths.size();
  for (unsigned number = 0; number < vectors; ++number) {
    Point at = pointOf(point, slots[number]);
    for (unsigned result = 0; result < outputs(); ++result) {
      unsigned operand = outputOperand(result);
      storeInterleaved(builder, accumulators[number * outputs() + result],
                       accumulators[(number + vectors) * outputs() + result], flatOperands[operand].flat,
                       at.operands[operand], widths[number], target);
    }
  }
}

void plumb::emitKernel(RewriterBase &rewriter, linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
                       const CpuTarget &target, const Epilogue &epilogue) {
  // Operands of the last epilogue operation may be defined after the operation itself.
  Operation *last = op;
  if (!epilogue.ops.empty())
    last = epilogue.ops.back().op;
  rewriter.setInsertionPoint(last);
  Emitter emitter(rewriter, op, nest, plan, target, epilogue);
  SmallVector<Operation *> done{op.getOperation()}, fills;
  for (unsigned result = 0; result < op.getNumDpsInits(); ++result)
    if (linalg::FillOp fill = findInitialFill(op, result)) {
      emitter.setInitialValue(result, fill.getInputs()[0]);
      fills.push_back(fill);
    }
  for (const EpilogueOp &fused : epilogue.ops) {
    linalg::LinalgOp follower = fused.op;
    done.push_back(follower);
    for (unsigned result = 0; result < follower.getNumDpsInits(); ++result)
      if (linalg::FillOp fill = findInitialFill(follower, result); fill && !fused.folds)
        fills.push_back(fill);
  }
  emitter.emit();
  for (Operation *each : llvm::concat<Operation *>(done, fills))
    rewriter.eraseOp(each);
}
