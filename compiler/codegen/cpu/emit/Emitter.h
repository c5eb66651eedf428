// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class behind emitKernel; private to this folder. EmitLoops.cpp holds the loops around register tiles,
// KernelEmitter.cpp the code of a tile, EmitCarriedAddresses.cpp loops that carry addresses, EmitPanels.cpp copies of
// inputs, EmitPartials.cpp several sets of accumulators, EmitLaneSums.cpp the combination of lanes and EmitBounds.cpp
// nests with bounds. Collaborators with the same state (KernelState) emit loads (VectorLoads), prefetches (Prefetcher)
// and the epilogue (EpilogueEmitter).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_EMITTER_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_EMITTER_H

#include "compiler/codegen/cpu/emit/EpilogueEmitter.h"
#include "compiler/codegen/cpu/emit/KernelEmitter.h"
#include "compiler/codegen/cpu/emit/Prefetcher.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace plumb {

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

/// Orders the multiply-adds of an iteration so that few of their inputs are live at once, where `registers` do not
/// suffice for the given order.
void orderIteration(mlir::Block &block, int64_t registers);

/// Emits one kernel.
class Emitter : private KernelState {
public:
  Emitter(mlir::OpBuilder &rewriter, mlir::linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
          const CpuTarget &target, const Epilogue &epilogue);

  /// Sets the initial value of output `result`.
  void setInitialValue(unsigned result, mlir::Value value) { initial[result] = value; }
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
  void copyPanelPart(const FlatOperand &source, const FlatOperand &panel, Position from, int64_t to,
                     llvm::ArrayRef<int64_t> extents);
  void emitBlocks(unsigned depth, Point point, int64_t trips, int64_t step);
  void emitReductionBlocks(unsigned depth, Point point);
  void hold(unsigned depth, int64_t iterations);
  void emitTile(Point point);
  void emitBoundTiles(unsigned depth, const LinearBound &bound, Point point);
  int64_t emitTilesAt(unsigned depth, Point point, int64_t from, int64_t to);
  bool exists(const AccumulatorSlot &slot) const;
  void emitRepeated(Point point, unsigned loop, int64_t trips, int64_t step, Emit body);

  void makeSlots();
  llvm::SmallVector<mlir::Value> startAccumulators(const Point &point);
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
  mlir::Value makeIndex(const Point &point, unsigned loop);
  void finish(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishTransposed(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishTile(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  void finishInterleaved(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void finishLanes(const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  void storeSums(unsigned result, mlir::Value sums, llvm::ArrayRef<Position> addresses);
  mlir::Value addStart(unsigned result, mlir::Value sum, Position address, int64_t width);

  /// The index of a result's accumulator in the current set.
  unsigned indexOf(unsigned slot, unsigned result) { return (partial * slots.size() + slot) * outputs() + result; }
  bool readsOutput(unsigned result) { return !op.getRegionOutputArgs()[result].use_empty(); }

  VectorBody body;
  VectorLoads loads;
  EpilogueEmitter epilogue;
  Prefetcher prefetcher;

  llvm::SmallVector<mlir::Value> initial;
  /// The set of accumulators of the current leaf.
  unsigned partial = 0;
  /// Lanes in use in the current leaf, where lanes reduce.
  int64_t leafWidth = 0;
  /// For loops of bounds: the index of an outer parallel loop or of a reduction's block, the first index of a peeled
  /// tile, and the index of a reduction where it is known.
  llvm::SmallDenseMap<unsigned, mlir::Value> outerIndex;
  llvm::SmallDenseMap<unsigned, int64_t> tileIndex, reductionIndex;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_EMITTER_H
