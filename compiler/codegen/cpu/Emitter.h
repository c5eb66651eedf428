// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class behind emitKernel; private to this folder. EmitLoops.cpp holds the
// loops around register tiles, KernelEmitter.cpp a tile's own work,
// EmitMoving.cpp loops that carry positions, EmitPanels.cpp copies of inputs,
// EmitPartials.cpp several sets of accumulators, EmitLaneSums.cpp what is left
// to add where lanes reduce, EmitPrefetches.cpp requests for what is read or
// written later, EmitBounds.cpp what differs where a nest has bounds,
// EmitEpilogue.cpp what is done with results and EmitFolds.cpp what is folded of
// them.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMITTER_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMITTER_H

#include "compiler/codegen/cpu/Epilogue.h"
#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/codegen/cpu/VectorBody.h"
#include "compiler/codegen/cpu/VectorMemory.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <set>

namespace plumb {

struct BlockRows;

/// Where every operand, and every loop whose index the body asks for, stands.
struct Point {
  llvm::SmallVector<Position> operands;
  llvm::SmallVector<Position> indices;
};

/// Positions that a loop moves alike: the dynamic part they start from, and how far an
/// iteration moves them.
struct Movement {
  mlir::Value start;
  int64_t stride;
  llvm::SmallVector<Position *> positions;
};

/// A part of a loop that is cut into parts: what turns of `step` iterations move, the iterations of a part, where the
/// whole loop begins, and where it ends, if the last part is a shorter one.
struct LoopPart {
  Movement index{};
  llvm::SmallVector<Movement> places;
  int64_t step = 1, iterations = 1;
  mlir::Value first, behind;
};

/// One accumulator of a register tile: constant steps from the tile's point.
struct Cell {
  /// Steps along the plan's tiles.
  llvm::SmallVector<int64_t> steps;
  /// Lanes from the block's first lane, and how many of this vector's count.
  int64_t firstLane = 0;
  int64_t width = 0;
};

/// An operand as the loops walk it: flat memory, and by loop the step of the
/// loops around register tiles and the step within a tile.
struct Walk {
  mlir::Value flat;
  llvm::SmallVector<int64_t> outer, inner;
};

/// Calls `join` with 0 and 1, 2 and 3, …, then 0 and 2, …, until all of `sets` are
/// in the first.
void forEachPair(int64_t sets,
                 llvm::function_ref<void(int64_t, int64_t)> join);

/// Puts the multiply-adds of a loop's turn in an order that leaves few of their
/// inputs in registers at once, where there are not enough `registers` for all.
void orderTurn(mlir::Block &block, int64_t registers);

/// What the end of a register tile finds in memory.
struct LateAccess {
  unsigned access;
  bool reads, writes;
};

/// Emits one kernel.
class Emitter {
public:
  Emitter(mlir::OpBuilder &rewriter, mlir::linalg::LinalgOp op, const LinearNest &nest,
          const KernelPlan &plan, const CpuTarget &target);

  /// Uses `fill` as the initial value of output `result`.
  void setInitialValue(unsigned result, mlir::Value value) {
    initial[result] = value;
  }
  /// Does the stages of `epilogue` before anything is stored.
  void setEpilogue(const Epilogue &epilogue);
  void emit();

private:
  using Emit = llvm::function_ref<void(Point)>;
  /// One turn of a reduction's loop: its point and accumulators to new ones.
  using EmitTurn = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      Point, llvm::SmallVector<mlir::Value>)>;

  bool isTiled(unsigned loop) const;
  Point getOrigin();
  void advance(Point &point, unsigned loop, mlir::Value by);
  void advance(Point &point, unsigned loop, int64_t by) const;

  void emitLoops(unsigned depth, Point point);
  void emitNextLoop(unsigned depth, Point point);
  void pack(unsigned operand, Point &point);
  void copyPiece(const Walk &source, const Walk &panel, Position from,
                 int64_t to, llvm::ArrayRef<int64_t> extents);
  void emitBlocks(unsigned depth, Point point, int64_t trips, int64_t step);
  void emitReductionBlocks(unsigned depth, Point point);
  void hold(unsigned depth, int64_t iterations);
  void emitTile(Point point);
  void emitBoundTiles(unsigned depth, const LinearBound &bound, Point point);
  int64_t emitTilesAt(unsigned depth, Point point, int64_t from, int64_t to);
  bool exists(const Cell &cell) const;
  void emitRepeated(Point point, unsigned loop, int64_t trips, int64_t step,
                    Emit body);

  void makeCells();
  Point pointOf(const Point &base, const Cell &cell) const;
  llvm::SmallVector<mlir::Value> startAccumulators(const Point &point);
  mlir::Value makeNeutral(mlir::linalg::LinalgOp of, unsigned result);
  void addPartials(llvm::SmallVector<mlir::Value> &accumulators);
  void combinePartials(llvm::SmallVector<mlir::Value> &accumulators);
  llvm::SmallVector<mlir::Value> startFrom(const Point &point,
                                           llvm::ArrayRef<mlir::Value> values);
  llvm::SmallVector<mlir::Value> emitReductions(unsigned depth, Point point,
                                    llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitReductionLoop(unsigned depth, Point point,
                                       llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitReductionRange(unsigned depth, IterationRange range, Point point,
                                        llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitBoundReduction(unsigned depth, const LinearBound &bound, Point point,
                                        llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitEdgedReduction(unsigned depth, const LinearBound &bound, Point point,
                                        llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitLaneReduction(Point point,
                                       llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitLeaf(const Point &point,
                              llvm::SmallVector<mlir::Value> accumulators);
  void request(unsigned access, mlir::Value dynamic,
               const std::set<int64_t> &places, bool isWrite = false);
  void requestLine(unsigned walk, Position place, unsigned nearness,
                   bool isWrite = false);
  void requestWrites(const Point &point);
  void addBlockRequest(BlockAhead ahead, Point &point);
  void turnBlockRequests(unsigned depth);
  void requestNextBlocks(const Point &point, mlir::Value part = {},
                         int64_t parts = 1);
  int64_t countBlockParts() const;
  void requestAhead(const Point &point);
  bool asksInTurns() const;
  llvm::SmallVector<LateAccess> findLateAccesses() const;
  void requestTile(const Point &point);
  void requestRow(const Point &point, llvm::ArrayRef<LateAccess> accesses);
  llvm::SmallVector<Movement> findMovements(Point &point, unsigned loop) const;
  llvm::SmallVector<mlir::Value>
  emitMoving(unsigned loop, mlir::Value from, mlir::Value to, int64_t step,
             Point point, llvm::SmallVector<mlir::Value> accumulators,
             EmitTurn turn);
  void emitMovingTurn(mlir::scf::ForOp loop, llvm::ArrayRef<Movement> movements,
                      int64_t step, const Point &point, EmitTurn turn);
  llvm::SmallVector<mlir::Value>
  emitTurns(unsigned depth, const Point &point, int64_t size, int64_t step,
            llvm::SmallVector<mlir::Value> accumulators, EmitTurn turn);
  llvm::SmallVector<Movement> findRows(Point &point, llvm::ArrayRef<LateAccess> late) const;
  LoopPart findPart(Point &point, int64_t size, int64_t step, int64_t count);
  llvm::SmallVector<mlir::Value>
  emitPart(const LoopPart &part, const Point &point,
           llvm::ArrayRef<mlir::BlockArgument> carried, EmitTurn turn);
  llvm::SmallVector<mlir::Value>
  emitInParts(Point point, int64_t size, int64_t step,
              llvm::ArrayRef<LateAccess> late,
              llvm::SmallVector<mlir::Value> accumulators, EmitTurn turn);
  mlir::Value loadOnce(unsigned operand, Position position, int64_t width);
  void loadTransposed(const Point &point, unsigned operand, int64_t width);
  mlir::Value makeIndex(const Point &point, unsigned loop);
  void finish(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishTile(const Point &point,
                  llvm::ArrayRef<mlir::Value> accumulators);

  void addStageOrigins(Point &point);
  bool beginsWindow(const Cell &cell) const;
  mlir::Value loadResult(unsigned access, const Point &at, const Cell &cell);
  void storeResult(unsigned number, mlir::Value value, const Point &at,
                   const Cell &cell);
  llvm::SmallVector<mlir::Value>
  runBody(unsigned number, unsigned cell, unsigned element,
          llvm::ArrayRef<int64_t> places, const Point &at,
          llvm::ArrayRef<mlir::Value> results);
  llvm::SmallVector<mlir::Value> runStage(unsigned number, unsigned cell,
                                          const Point &at);
  void forEachPlace(
      const EpilogueStage &stage, unsigned cell,
      llvm::function_ref<void(unsigned, llvm::ArrayRef<int64_t>)> visit);
  std::map<int64_t, llvm::SmallVector<unsigned>>
  groupByPlace(unsigned access, const Point &point) const;
  void emitFold(unsigned number, const Point &point);
  void emitEpilogue(const Point &point,
                    llvm::ArrayRef<mlir::Value> accumulators);

  void finishZipped(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishLanes(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void storeSums(unsigned result, mlir::Value sums, llvm::ArrayRef<Position> places);
  mlir::Value addStart(unsigned result, mlir::Value sum, Position place, int64_t width);

  bool lanesReduce() const { return plan.combining.has_value(); }
  /// Where a result's accumulator is, in the set that is being fed.
  unsigned slot(unsigned cell, unsigned result) {
    return (partial * cells.size() + cell) * outputs() + result;
  }
  unsigned outputs() { return op.getNumDpsInits(); }
  unsigned outputOperand(unsigned result) {
    return op.getNumDpsInputs() + result;
  }
  bool readsOutput(unsigned result) {
    return !op.getRegionOutputArgs()[result].use_empty();
  }

  mlir::ImplicitLocOpBuilder builder;
  mlir::linalg::LinalgOp op;
  const LinearNest &nest;
  const KernelPlan &plan;
  const CpuTarget &target;
  VectorBody body;

  llvm::SmallVector<Walk> walks;
  /// What is asked for a block ahead: the walk of its first element, behind which
  /// is one that counts elements; the depth of the loop whose next turn it is for;
  /// elements of a line, and elements per turn. Rows of `row` elements lie `apart`,
  /// unless there is one.
  struct BlockRequest {
    unsigned walk, depth;
    int64_t line, elements, row, apart;
  };
  llvm::SmallVector<BlockRequest> blockRequests;
  Position findInBlock(const BlockRequest &ahead, const Point &point,
                       Position at);
  BlockRequest
  shareOut(BlockAhead ahead, const BlockRows &rows,
           llvm::ArrayRef<std::pair<OuterLoop, int64_t>> turns) const;
  llvm::SmallVector<mlir::Value> initial;
  /// By loop: iterations of the block that is being emitted.
  llvm::SmallVector<int64_t> extents;
  /// Whether the blocks of outer reductions are the first, the last ones; null
  /// where no reduction is cut into blocks.
  mlir::Value isFirstBlock, isLastBlock;
  /// Sizes of the current register tile: its pieces of lanes and its counts.
  llvm::SmallVector<int64_t> widths;
  llvm::SmallVector<int64_t> counts;
  llvm::SmallVector<Cell> cells;
  /// The set of accumulators that the current leaf feeds.
  unsigned partial = 0;
  /// Lanes that count in the current leaf, when lanes reduce.
  int64_t leafWidth = 0;
  /// By operand, position and lanes: what was loaded in this block.
  std::map<std::tuple<unsigned, const void *, int64_t, int64_t>, mlir::Value> loaded;
  mlir::Block *loadedIn = nullptr;

  /// For loops of the nest's bounds: the index of an outer parallel loop or of a
  /// reduction's block, the first index of a tile whose place is known, and the
  /// index of a reduction where it is known.
  llvm::SmallDenseMap<unsigned, mlir::Value> outerIndex;
  llvm::SmallDenseMap<unsigned, int64_t> tileIndex, reductionIndex;

  /// The stages after the nest, or null, and by stage its body and what its
  /// results start from.
  const Epilogue *epilogue = nullptr;
  llvm::SmallVector<VectorBody, 0> stageBodies;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> stageStarts;
  /// By value of the epilogue and by cell: what the register holds.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> held;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMITTER_H
