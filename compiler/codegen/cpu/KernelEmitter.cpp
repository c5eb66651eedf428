// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the loops of a planned kernel, from the outside in. `Point` is where
// every operand stands: one position each, of which the constant part moves
// inside a register tile and the dynamic part with the loops. Loads are shared
// within one turn of the innermost loop by their position, so windows that overlap
// load each vector once.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;

Emitter::Emitter(OpBuilder &rewriter, linalg::LinalgOp op,
                 const LinearNest &nest, const KernelPlan &plan,
                 const CpuTarget &target)
    : builder(op.getLoc(), rewriter), op(op), nest(nest), plan(plan),
      target(target), body(op, target), initial(op.getNumDpsInits()),
      extents(nest.sizes), counts(plan.tiles.size(), 1) {}

/// The point of iteration zero; scalar operands have no position.
Point Emitter::getOrigin() {
  Point point;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Value buffer = LinearNest::getBuffer(operand);
    bool isBuffer = isa<MemRefType>(operand.getType());
    const SmallVector<int64_t> &strides = nest.accesses[number].strides;
    walks.push_back({isBuffer ? flattenBuffer(builder, buffer) : operand,
                     strides, strides});
    point.operands.push_back({Value(), nest.accesses[number].offset});
  }
  addStageOrigins(point);
  for (BlockAhead ahead : plan.blocksAhead)
    addBlockRequest(ahead, point);
  if (op.hasIndexSemantics())
    point.indices.resize(nest.loops());
  return point;
}

void Emitter::advance(Point &point, unsigned loop, int64_t by) const {
  for (auto [number, position] : llvm::enumerate(point.operands))
    position.constant += by * walks[number].outer[loop];
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
      step = stride == 1
                 ? by
                 : arith::MulIOp::create(
                       builder, by,
                       arith::ConstantIndexOp::create(builder, stride));
    position.dynamic =
        position.dynamic
            ? arith::AddIOp::create(builder, position.dynamic, step)
            : step;
  };
  for (auto [number, position] : llvm::enumerate(point.operands))
    add(position, walks[number].outer[loop]);
  if (!point.indices.empty())
    add(point.indices[loop], 1);
}

void Emitter::emit() { emitLoops(0, getOrigin()); }

/// Lists the accumulators of the current tile, lanes varying fastest.
void Emitter::makeCells() {
  cells.assign(1, Cell{});
  for (int64_t count : counts) {
    SmallVector<Cell> next;
    for (const Cell &cell : cells)
      for (int64_t step = 0; step < count; ++step) {
        next.push_back(cell);
        next.back().steps.push_back(step);
      }
    cells = std::move(next);
  }
  if (lanesReduce())
    return;
  SmallVector<Cell> next;
  for (const Cell &cell : cells)
    for (auto [piece, width] : llvm::enumerate(widths)) {
      next.push_back(cell);
      next.back().firstLane = piece * plan.lanes;
      next.back().width = width;
    }
  cells = std::move(next);
}

Point Emitter::pointOf(const Point &base, const Cell &cell) const {
  Point point = base;
  auto step = [&](unsigned loop, int64_t by) {
    for (auto [walk, position] : llvm::zip_equal(walks, point.operands))
      position.constant += by * walk.inner[loop];
    if (!point.indices.empty())
      point.indices[loop].constant += by;
  };
  for (auto [tile, by] : llvm::zip_equal(plan.tiles, cell.steps))
    step(tile.loop, by);
  if (!lanesReduce())
    step(plan.laneLoop, cell.firstLane);
  return point;
}

void Emitter::emitTile(Point point) {
  makeCells();
  requestTile(point);
  requestWrites(point);
  SmallVector<Value> accumulators = startAccumulators(point);
  addPartials(accumulators);
  accumulators = emitReductions(0, point, accumulators);
  combinePartials(accumulators);
  if (plan.zipsOutputs)
    return finishZipped(point, accumulators);
  finishTile(point, accumulators);
}

/// Stores the accumulators, and does first what follows the last block.
void Emitter::finishTile(const Point &point, ArrayRef<Value> accumulators) {
  if (lanesReduce())
    return finishLanes(point, accumulators);
  auto store = [&] { finish(point, accumulators); };
  if (!epilogue || epilogue->stages.empty())
    return store();
  if (!isLastBlock)
    return emitEpilogue(point, accumulators);
  auto region = [&](llvm::function_ref<void()> emit) {
    return [&, emit](OpBuilder &, Location) {
      emit();
      scf::YieldOp::create(builder);
    };
  };
  scf::IfOp::create(builder, isLastBlock,
                    region([&] { emitEpilogue(point, accumulators); }),
                    region(store));
}

/// Accumulators start from the fill value, from the output, or, when lanes are
/// combined at the end, from the neutral element. Null where none is needed.
SmallVector<Value> Emitter::startAccumulators(const Point &point) {
  loaded.clear();
  if (lanesReduce()) {
    SmallVector<Value> neutral;
    for (unsigned number = 0; number < cells.size() * outputs(); ++number)
      neutral.push_back(makeNeutral(op, number % outputs()));
    return neutral;
  }
  if (!isFirstBlock || llvm::none_of(initial, [](Value v) { return v; }))
    return startFrom(point, initial);
  // Only the first of a reduction's blocks starts anew.
  SmallVector<Value> nothing(outputs());
  auto yield = [&](ArrayRef<Value> values) {
    return [&, values](OpBuilder &, Location) {
      scf::YieldOp::create(builder, startFrom(point, values));
    };
  };
  auto choose =
      scf::IfOp::create(builder, isFirstBlock, yield(initial), yield(nothing));
  return SmallVector<Value>(choose.getResults());
}

/// A vector that changes nothing when it is combined into a result of `of`.
Value Emitter::makeNeutral(linalg::LinalgOp of, unsigned result) {
  Value reduced = of.getBlock()->getTerminator()->getOperand(result);
  TypedAttr neutral = *arith::getNeutralElement(reduced.getDefiningOp());
  auto type = VectorType::get({plan.lanes}, reduced.getType());
  return arith::ConstantOp::create(builder, type,
                                   DenseElementsAttr::get(type, neutral));
}

/// One value per accumulator: that of `values` for its result, or the output's.
SmallVector<Value> Emitter::startFrom(const Point &point,
                                      ArrayRef<Value> values) {
  SmallVector<Value> starts;
  for (const Cell &cell : cells)
    for (unsigned result = 0; result < outputs(); ++result) {
      unsigned operand = outputOperand(result);
      if (!readsOutput(result)) {
        starts.push_back(Value());
      } else if (values[result]) {
        starts.push_back(broadcastTo(builder, values[result], plan.lanes));
      } else {
        Position position = pointOf(point, cell).operands[operand];
        starts.push_back(loadOnce(operand, position, cell.width));
      }
    }
  return starts;
}

/// Reduction loops from `depth` on, then the leaf; the lane loop comes last.
SmallVector<Value> Emitter::emitReductions(unsigned depth, Point point,
                                           SmallVector<Value> accumulators) {
  if (depth + 1 == plan.reductions.size() && countBlockParts() == 1)
    requestNextBlocks(point);
  if (depth < plan.reductions.size())
    return emitReductionLoop(depth, point, accumulators);
  if (lanesReduce())
    return emitLaneReduction(point, accumulators);
  if (loadedIn != builder.getInsertionBlock())
    loaded.clear();
  loadedIn = builder.getInsertionBlock();
  requestAhead(point);
  return emitLeaf(point, accumulators);
}

/// One reduction loop, over what exists of it.
SmallVector<Value> Emitter::emitReductionLoop(unsigned depth, Point point,
                                              SmallVector<Value> accumulators) {
  unsigned loop = plan.reductions[depth];
  const LinearBound *bound = nest.findBound(loop);
  if (bound && outerIndex.count(bound->parallel))
    return emitBoundReduction(depth, *bound, point, accumulators);
  if (bound && tileIndex.count(bound->parallel))
    return emitEdgedReduction(depth, *bound, point, accumulators);
  return emitReductionRange(depth, {0, extents[loop]}, point, accumulators);
}

/// A loop of `size` iterations by `step`. The outermost one has time to ask for
/// what follows the sums.
SmallVector<Value> Emitter::emitTurns(unsigned depth, const Point &point,
                                      int64_t size, int64_t step,
                                      SmallVector<Value> accumulators,
                                      EmitTurn turn) {
  SmallVector<LateAccess> late;
  if (depth == 0 && asksInTurns())
    late = findLateAccesses();
  if (!late.empty() || (depth == 0 && countBlockParts() > 1))
    return emitInParts(point, size, step, late, accumulators, turn);
  Value behind = arith::ConstantIndexOp::create(builder, size);
  return emitMoving(plan.reductions[depth], Value(), behind, step, point,
                    accumulators, turn);
}

/// Turns of `unroll` iterations, then the rest in line.
SmallVector<Value>
Emitter::emitReductionRange(unsigned depth, IterationRange range, Point point,
                            SmallVector<Value> accumulators) {
  unsigned loop = plan.reductions[depth];
  int64_t size = range.to - range.from, unroll = plan.unroll[loop];
  int64_t turns = size / unroll;
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
  if (turns > 1) {
    auto turn = [&](Point inner, SmallVector<Value> values) {
      return unrolled(inner, unroll, values);
    };
    accumulators = emitTurns(depth, point, turns * unroll, unroll, accumulators, turn);
  } else if (turns == 1) {
    accumulators = unrolled(point, unroll, accumulators);
  }
  advance(point, loop, turns * unroll);
  return unrolled(point, size % unroll, accumulators);
}

/// The lane loop as a reduction: turns of one vector per set of accumulators,
/// then single vectors, then a masked one.
SmallVector<Value> Emitter::emitLaneReduction(Point point,
                                              SmallVector<Value> accumulators) {
  int64_t whole = extents[plan.laneLoop] / plan.lanes;
  int64_t turns = whole / plan.partials;
  auto vectors = [&](Point at, int64_t count, SmallVector<Value> values) {
    leafWidth = plan.lanes;
    for (int64_t step = 0; step < count; ++step) {
      partial = step % plan.partials;
      loaded.clear();
      values = emitLeaf(at, values);
      advance(at, plan.laneLoop, plan.lanes);
    }
    partial = 0;
    return values;
  };
  if (whole > 4 && turns > 1) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, value);
    };
    int64_t step = plan.partials * plan.lanes;
    auto loopOp = scf::ForOp::create(builder, index(0), index(turns * step),
                                     index(step), accumulators);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loopOp.getBody());
    Point inner = point;
    advance(inner, plan.laneLoop, loopOp.getInductionVar());
    SmallVector<Value> carried(loopOp.getRegionIterArgs());
    scf::YieldOp::create(builder, vectors(inner, plan.partials, carried));
    accumulators = SmallVector<Value>(loopOp.getResults());
    advance(point, plan.laneLoop, turns * step);
    whole -= turns * plan.partials;
  }
  accumulators = vectors(point, whole, accumulators);
  advance(point, plan.laneLoop, whole * plan.lanes);
  leafWidth = extents[plan.laneLoop] % plan.lanes;
  if (leafWidth == 0)
    return accumulators;
  loaded.clear();
  return emitLeaf(point, accumulators);
}

/// Loads the vector at `position`, or finds it among those of this leaf.
Value Emitter::loadOnce(unsigned operand, Position position, int64_t width) {
  if (!isa<MemRefType>(walks[operand].flat.getType()))
    return walks[operand].flat;
  Value &value = loaded[{operand, position.dynamic.getAsOpaquePointer(), position.constant, width}];
  if (value)
    return value;
  LaneShape shape{plan.lanes, width, walks[operand].inner[plan.laneLoop]};
  return value = loadLanes(builder, walks[operand].flat, position, shape, target);
}

/// Loads a square of an operand whose neighbours lie along the tiled loop, row
/// by row, and turns it in registers; leaves the vectors where loadOnce looks.
void Emitter::loadTransposed(const Point &point, unsigned operand,
                             int64_t width) {
  Position base = point.operands[operand];
  int64_t count = counts.front();
  LaneShape shape{plan.lanes, count, 1};
  SmallVector<Value> rows;
  for (int64_t lane = 0; lane < plan.lanes; ++lane) {
    if (lane >= width) {
      rows.push_back(rows.front());
      continue;
    }
    int64_t step = lane * nest.stride(operand, plan.laneLoop);
    Position position{base.dynamic, base.constant + step};
    rows.push_back(loadLanes(builder, walks[operand].flat, position, shape, target));
  }
  SmallVector<Value> columns = transposeSquare(builder, rows);
  for (int64_t step = 0; step < count; ++step)
    loaded[{operand, base.dynamic.getAsOpaquePointer(), base.constant + step, width}] = columns[step];
}

/// The body's view of a loop's index: one number per lane.
Value Emitter::makeIndex(const Point &point, unsigned loop) {
  Value start = broadcastTo(
      builder, point.indices[loop].materialize(builder), plan.lanes);
  if (loop != plan.laneLoop)
    return start;
  auto type = VectorType::get({plan.lanes}, builder.getIndexType());
  Value step = vector::StepOp::create(builder, type);
  return arith::AddIOp::create(builder, start, step);
}

/// The body once per accumulator.
SmallVector<Value> Emitter::emitLeaf(const Point &point,
                                     SmallVector<Value> accumulators) {
  Block &block = *op.getBlock();
  for (unsigned operand : plan.transposed)
    loadTransposed(point, operand, widths.front());
  for (auto [number, cell] : llvm::enumerate(cells)) {
    if (!exists(cell))
      continue;
    Point at = pointOf(point, cell);
    int64_t width = lanesReduce() ? leafWidth : cell.width;
    SmallVector<Value> arguments;
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
      bool isInput = operand < outputOperand(0);
      if (isInput && !block.getArgument(operand).use_empty())
        arguments.push_back(loadOnce(operand, at.operands[operand], width));
      else
        arguments.push_back(isInput ? Value()
                                    : accumulators[slot(
                                          number, operand - outputOperand(0))]);
    }
    SmallVector<Value> results =
        body.replay(builder, arguments, plan.lanes,
                    [&](unsigned loop) { return makeIndex(at, loop); });
    for (auto [result, value] : llvm::enumerate(results)) {
      Value &accumulator = accumulators[slot(number, result)];
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
  for (auto [number, cell] : llvm::enumerate(cells)) {
    Point at = pointOf(point, cell);
    for (unsigned result = 0; result < outputs(); ++result) {
      unsigned operand = outputOperand(result);
      LaneShape shape{plan.lanes, cell.width,
                      nest.stride(operand, plan.laneLoop)};
      storeLanes(builder, accumulators[number * outputs() + result],
                 walks[operand].flat, at.operands[operand], shape, target);
    }
  }
}

/// Stores pairs of vectors; the tile's two steps are `widths` cells apart.
void Emitter::finishZipped(const Point &point, ArrayRef<Value> accumulators) {
  unsigned pieces = widths.size();
  for (unsigned piece = 0; piece < pieces; ++piece) {
    Point at = pointOf(point, cells[piece]);
    for (unsigned result = 0; result < outputs(); ++result) {
      unsigned operand = outputOperand(result);
      storeZipped(builder, accumulators[piece * outputs() + result],
                  accumulators[(piece + pieces) * outputs() + result],
                  walks[operand].flat, at.operands[operand], widths[piece], target);
    }
  }
}

void plumb::emitKernel(RewriterBase &rewriter, linalg::LinalgOp op,
                       const LinearNest &nest, const KernelPlan &plan,
                       const CpuTarget &target, const Epilogue &epilogue) {
  // What the last stage reads may be made after the operation itself.
  Operation *last = op;
  if (!epilogue.stages.empty())
    last = epilogue.stages.back().op;
  rewriter.setInsertionPoint(last);
  Emitter emitter(rewriter, op, nest, plan, target);
  SmallVector<Operation *> done{op.getOperation()}, fills;
  for (unsigned result = 0; result < op.getNumDpsInits(); ++result)
    if (linalg::FillOp fill = findInitialFill(op, result)) {
      emitter.setInitialValue(result, fill.getInputs()[0]);
      fills.push_back(fill);
    }
  for (const EpilogueStage &stage : epilogue.stages) {
    linalg::LinalgOp stageOp = stage.op;
    done.push_back(stageOp);
    for (unsigned result = 0; result < stageOp.getNumDpsInits(); ++result)
      if (linalg::FillOp fill = findInitialFill(stageOp, result);
          fill && !stage.folds)
        fills.push_back(fill);
  }
  emitter.setEpilogue(epilogue);
  emitter.emit();
  for (Operation *each : llvm::concat<Operation *>(done, fills))
    rewriter.eraseOp(each);
}
