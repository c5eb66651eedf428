// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model of vector code, and the facts about one operation that it needs. Per iteration of the innermost
// reduction, two vector operations and two loads issue per cycle, and a chain of multiply-adds on one accumulator takes
// four cycles a link, so
//
//   cycles = max(accumulators · operations / 2, loads / 2, 4)
//
// The plan with the fewest cycles over all its tiles (full ones, and remainders, whose idle lanes and short chains cost
// as much) wins; each emitted operation adds a little, so that small work gets small code. Accumulators and the vectors
// that are live beside them must fit in the registers.
//
// ConvolutionCost.h refines the model for overlapping windows, CacheModel.h adds memory for contractions.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_COST_KERNELCOST_H
#define PLUMB_COMPILER_CODEGEN_CPU_COST_KERNELCOST_H

#include "compiler/codegen/cpu/plan/Tiles.h"
#include "compiler/target/CpuTarget.h"

#include "llvm/ADT/SmallSet.h"

namespace plumb {

/// Cost of an emitted operation in compile time and instruction cache, in cycles.
constexpr double kCodeCycles = 1;

/// A plan and its estimated cycles.
struct CostedPlan {
  KernelPlan plan;
  double cycles = 0;
};

/// Facts about one operation, and cycles of its plans.
class KernelCost {
public:
  KernelCost(mlir::linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target);

  /// Whether the iterations of `loop` can be lanes: those of a parallel loop must be contiguous in every output, those
  /// of a reduction must be combinable.
  bool canBeLanes(unsigned loop) const;
  /// Lanes of the vectors along `loop`, a power of two.
  int64_t lanesFor(unsigned loop) const;
  bool hasReductions() const;

  /// A plan of one vector along `loop`, without tiles.
  KernelPlan startPlan(unsigned loop) const;
  /// Whether accumulators, the vectors that every step of the first tile reuses, and one more vector fit in the
  /// registers.
  bool fits(const KernelPlan &plan) const;
  /// Whether no tile steps by pages more often than lines of one set of L1 may be in use at a time.
  bool spreadsOverSets(const KernelPlan &plan) const;
  /// The factor of a plan's cycles for the strides of `tile` in memory: of plans that are equal otherwise, the one that
  /// reads in the order of memory is faster.
  double getStrideFactor(const RegisterTile &tile) const;
  /// The longest stride of an input along `loop`.
  int64_t reach(unsigned loop) const;
  /// Cycles of one load of `input`, by how its lanes lie in memory.
  double getLoadCycles(const KernelPlan &plan, unsigned input) const;
  /// Cycles of the whole operation.
  double getCycles(const KernelPlan &plan) const;

  mlir::linalg::LinalgOp op;
  const LinearNest &nest;
  const CpuTarget &target;
  unsigned inputs, outputs;
  bool usesIndices;
  /// Inputs whose elements the body does not use, such as the operand that gives a pooling window its shape.
  llvm::SmallDenseSet<unsigned> unused;
  /// How partial results of a reduction combine, if they may.
  std::optional<CombiningKinds> combining;
  /// Vector operations of one execution of the body.
  int64_t operations;
  int64_t elementBits = 32;

private:
  double getTileCycles(const KernelPlan &plan, const TileShape &shape) const;
  int64_t countLoads(const KernelPlan &plan, unsigned input, const TileShape &shape) const;
  bool sharesLoads(const KernelPlan &plan, unsigned input) const;
  double getIterationCycles(const KernelPlan &plan) const;
  int64_t countReductionIterations(const KernelPlan &plan) const;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_COST_KERNELCOST_H
