// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class behind emitKernel; private to this folder. EmitLoops.cpp holds the loops around register tiles,
// KernelEmitter.cpp the code of a tile, EmitCarriedAddresses.cpp loops that carry addresses, EmitPanels.cpp copies of
// inputs, EmitPartials.cpp several sets of accumulators, EmitLaneSums.cpp the combination of lanes, EmitPrefetches.cpp
// prefetches, EmitBounds.cpp nests with bounds, EmitEpilogue.cpp operations on results and EmitFolds.cpp reductions of
// results.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_EMITTER_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_EMITTER_H

#include "compiler/codegen/cpu/emit/KernelEmitter.h"
#include "compiler/codegen/cpu/emit/VectorBody.h"
#include "compiler/codegen/cpu/emit/VectorMemory.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <set>

namespace plumb {

struct BlockRows;

/// The position of every operand, and of every loop whose index the body uses.
struct Point {
  llvm::SmallVector<Position> operands;
  llvm::SmallVector<Position> indices;
};

/// Positions with equal start and stride, which a loop carries as one value: the dynamic part they start from, and the
/// elements per iteration.
struct CarriedAddress {
  mlir::Value start;
  int64_t stride;
  llvm::SmallVector<Position *> positions;
};

/// A part of a loop: the addresses that iterations of `step` move, the iterations of a part, the loop's first index,
/// and its end if the last part is shorter.
struct LoopPart {
  CarriedAddress index{};
  llvm::SmallVector<CarriedAddress> addresses;
  int64_t step = 1, iterations = 1;
  mlir::Value first, end;
};

/// One accumulator of a register tile, as constant steps from the tile's point.
struct AccumulatorSlot {
  /// Steps along the tiles of the plan.
  llvm::SmallVector<int64_t> steps;
  /// The first lane relative to the block's, and the number of lanes in use.
  int64_t firstLane = 0;
  int64_t width = 0;
};

/// The strides of an operand: flat memory, and by loop the stride of the loops around register tiles and the stride
/// within a tile.
struct Walk {
  mlir::Value flat;
  llvm::SmallVector<int64_t> outer, inner;
};

/// Calls `join` with 0 and 1, 2 and 3, …, then 0 and 2, …, until all `sets` are joined into the first.
void forEachPair(int64_t sets, llvm::function_ref<void(int64_t, int64_t)> join);

/// Orders the multiply-adds of an iteration so that few of their inputs are live at once, where `registers` do not
/// suffice for the given order.
void orderIteration(mlir::Block &block, int64_t registers);

/// A memory access at the end of a register tile.
struct LateAccess {
  unsigned access;
  bool reads, writes;
};

/// Emits one kernel.
class Emitter {
public:
  Emitter(mlir::OpBuilder &rewriter, mlir::linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
          const CpuTarget &target);

  /// Sets the initial value of output `result`.
  void setInitialValue(unsigned result, mlir::Value value) { initial[result] = value; }
  /// Adds the operations of `epilogue`, which run before results are stored.
  void setEpilogue(const Epilogue &epilogue);
  void emit();

private:
  using Emit = llvm::function_ref<void(Point)>;
  /// Emits one iteration of a reduction loop: maps its point and accumulators to new accumulators.
  using EmitIteration = llvm::function_ref<llvm::SmallVector<mlir::Value>(Point, llvm::SmallVector<mlir::Value>)>;

  bool isTiled(unsigned loop) const;
  Point getOrigin();
  void advance(Point &point, unsigned loop, mlir::Value by);
  void advance(Point &point, unsigned loop, int64_t by) const;

  void emitLoops(unsigned depth, Point point);
  void emitNextLoop(unsigned depth, Point point);
  void pack(unsigned operand, Point &point);
  void copyPanelPart(const Walk &source, const Walk &panel, Position from, int64_t to, llvm::ArrayRef<int64_t> extents);
  void emitBlocks(unsigned depth, Point point, int64_t trips, int64_t step);
  void emitReductionBlocks(unsigned depth, Point point);
  void hold(unsigned depth, int64_t iterations);
  void emitTile(Point point);
  void emitBoundTiles(unsigned depth, const LinearBound &bound, Point point);
  int64_t emitTilesAt(unsigned depth, Point point, int64_t from, int64_t to);
  bool exists(const AccumulatorSlot &slot) const;
  void emitRepeated(Point point, unsigned loop, int64_t trips, int64_t step, Emit body);

  void makeSlots();
  Point pointOf(const Point &base, const AccumulatorSlot &slot) const;
  llvm::SmallVector<mlir::Value> startAccumulators(const Point &point);
  mlir::Value makeNeutral(mlir::linalg::LinalgOp of, unsigned result);
  void addPartials(llvm::SmallVector<mlir::Value> &accumulators);
  void combinePartials(llvm::SmallVector<mlir::Value> &accumulators);
  llvm::SmallVector<mlir::Value> startFrom(const Point &point, llvm::ArrayRef<mlir::Value> values);
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
  llvm::SmallVector<mlir::Value> emitLaneReduction(Point point, llvm::SmallVector<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value> emitLeaf(const Point &point, llvm::SmallVector<mlir::Value> accumulators);
  void prefetch(unsigned access, mlir::Value dynamic, const std::set<int64_t> &addresses, bool isWrite = false);
  void prefetchLine(unsigned walk, Position address, unsigned locality, bool isWrite = false);
  void prefetchOutputs(const Point &point);
  void addNextBlock(BlockPrefetch ahead, Point &point);
  void swapNextBlockWalks(unsigned depth);
  void prefetchNextBlocks(const Point &point, mlir::Value part = {}, int64_t parts = 1);
  int64_t countBlockParts() const;
  void prefetchInputs(const Point &point);
  bool prefetchesInReduction() const;
  llvm::SmallVector<LateAccess> findLateAccesses() const;
  void prefetchTile(const Point &point);
  void prefetchRow(const Point &point, llvm::ArrayRef<LateAccess> accesses);
  llvm::SmallVector<CarriedAddress> findCarriedAddresses(Point &point, unsigned loop) const;
  llvm::SmallVector<mlir::Value> emitCarriedLoop(unsigned loop, mlir::Value from, mlir::Value to, int64_t step,
                                                 Point point, llvm::SmallVector<mlir::Value> accumulators,
                                                 EmitIteration iteration);
  void emitCarriedIteration(mlir::scf::ForOp loop, llvm::ArrayRef<CarriedAddress> addresses, int64_t step,
                            const Point &point, EmitIteration iteration);
  llvm::SmallVector<mlir::Value> emitIterations(unsigned depth, const Point &point, int64_t size, int64_t step,
                                                llvm::SmallVector<mlir::Value> accumulators, EmitIteration iteration);
  llvm::SmallVector<CarriedAddress> findRows(Point &point, llvm::ArrayRef<LateAccess> late) const;
  LoopPart findPart(Point &point, int64_t size, int64_t step, int64_t count);
  llvm::SmallVector<mlir::Value> emitPart(const LoopPart &part, const Point &point,
                                          llvm::ArrayRef<mlir::BlockArgument> carried, EmitIteration iteration);
  llvm::SmallVector<mlir::Value> emitInParts(Point point, int64_t size, int64_t step, llvm::ArrayRef<LateAccess> late,
                                             llvm::SmallVector<mlir::Value> accumulators, EmitIteration iteration);
  mlir::Value loadOnce(unsigned operand, Position position, int64_t width);
  void loadTransposed(const Point &point, unsigned operand, int64_t width);
  mlir::Value makeIndex(const Point &point, unsigned loop);
  void finish(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishTile(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  void addEpilogueOrigins(Point &point);
  bool beginsWindow(const AccumulatorSlot &slot) const;
  mlir::Value loadResult(unsigned access, const Point &at, const AccumulatorSlot &slot);
  void storeResult(unsigned number, mlir::Value value, const Point &at, const AccumulatorSlot &slot);
  llvm::SmallVector<mlir::Value> runBody(unsigned number, unsigned slot, unsigned element,
                                         llvm::ArrayRef<int64_t> addresses, const Point &at,
                                         llvm::ArrayRef<mlir::Value> results);
  llvm::SmallVector<mlir::Value> emitEpilogueOp(unsigned number, unsigned slot, const Point &at);
  void forEachWindowElement(const EpilogueOp &fused, unsigned slot,
                            llvm::function_ref<void(unsigned, llvm::ArrayRef<int64_t>)> visit);
  std::map<int64_t, llvm::SmallVector<unsigned>> groupByAddress(unsigned access, const Point &point) const;
  void emitFold(unsigned number, const Point &point);
  void emitEpilogue(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  void finishInterleaved(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishLanes(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void storeSums(unsigned result, mlir::Value sums, llvm::ArrayRef<Position> addresses);
  mlir::Value addStart(unsigned result, mlir::Value sum, Position address, int64_t width);

  bool lanesReduce() const { return plan.combining.has_value(); }
  /// The index of a result's accumulator in the current set.
  unsigned indexOf(unsigned slot, unsigned result) { return (partial * slots.size() + slot) * outputs() + result; }
  unsigned outputs() { return op.getNumDpsInits(); }
  unsigned outputOperand(unsigned result) { return op.getNumDpsInputs() + result; }
  bool readsOutput(unsigned result) { return !op.getRegionOutputArgs()[result].use_empty(); }

  mlir::ImplicitLocOpBuilder builder;
  mlir::linalg::LinalgOp op;
  const LinearNest &nest;
  const KernelPlan &plan;
  const CpuTarget &target;
  VectorBody body;

  llvm::SmallVector<Walk> walks;
  /// The prefetches of a next block: the walk of its first element, followed by a walk that counts elements; the depth
  /// of the loop whose next iteration uses it; elements of a line, and elements per iteration. Rows of `row` elements
  /// lie `apart`, unless there is only one.
  struct NextBlock {
    unsigned walk, depth;
    int64_t line, elements, row, apart;
  };
  llvm::SmallVector<NextBlock> nextBlocks;
  Position findInBlock(const NextBlock &ahead, const Point &point, Position at);
  NextBlock distribute(BlockPrefetch ahead, const BlockRows &rows,
                       llvm::ArrayRef<std::pair<OuterLoop, int64_t>> trips) const;
  llvm::SmallVector<mlir::Value> initial;
  /// By loop: iterations of the current block.
  llvm::SmallVector<int64_t> extents;
  /// Whether the current blocks of outer reductions are the first or the last ones; null where no reduction is blocked.
  mlir::Value isFirstBlock, isLastBlock;
  /// Extents of the current register tile: lanes of its vectors, and counts.
  llvm::SmallVector<int64_t> widths;
  llvm::SmallVector<int64_t> counts;
  llvm::SmallVector<AccumulatorSlot> slots;
  /// The set of accumulators of the current leaf.
  unsigned partial = 0;
  /// Lanes in use in the current leaf, where lanes reduce.
  int64_t leafWidth = 0;
  /// By operand, position and lanes: the vectors loaded in this block.
  std::map<std::tuple<unsigned, const void *, int64_t, int64_t>, mlir::Value> loaded;
  mlir::Block *loadedIn = nullptr;

  /// For loops of bounds: the index of an outer parallel loop or of a reduction's block, the first index of a peeled
  /// tile, and the index of a reduction where it is known.
  llvm::SmallDenseMap<unsigned, mlir::Value> outerIndex;
  llvm::SmallDenseMap<unsigned, int64_t> tileIndex, reductionIndex;

  /// The epilogue or null; by operation of it, its body and the start of its results.
  const Epilogue *epilogue = nullptr;
  llvm::SmallVector<VectorBody, 0> epilogueBodies;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> epilogueStarts;
  /// By value of the epilogue and by slot: the value in the register.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> held;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_EMITTER_H
