// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how a nest becomes vector code by counting what a core must do.
//
// The model, per turn of the innermost reduction: two vector operations and two
// loads start per cycle, and a chain of multiply-adds on one accumulator takes
// four cycles a link, so
//
//   cycles = max(cells · operations / 2, loads / 2, 4)
//
// where `cells` accumulators are held at once. The plan with the least sum over
// all its tiles (whole ones, and smaller ones at the edges, whose idle lanes
// and short chains are thereby paid for) wins; each emitted operation adds a
// little, so that small work gets small code. Accumulators and the vectors that
// wait for them must fit in the register file.
//
// For products, the best few plans are then priced with what stands around the
// register tiles: order of loops, blocks of the reduction, copies into panels
// (CacheModel.h).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_KERNELPLANNER_H
#define PLUMB_COMPILER_CODEGEN_CPU_KERNELPLANNER_H

#include "compiler/codegen/cpu/KernelEmitter.h"

namespace plumb {

/// A plan and its estimated cycles.
struct PricedPlan {
  KernelPlan plan;
  double cycles = 0;
};

/// Gives `plan` the plain order: parallel loops as the nest has them, around blocks
/// of lanes, around tiles; reduction loops as the nest has them.
void setDefaultOrder(KernelPlan &plan, const LinearNest &nest);

/// Plans any operation whose body maps to vectors. Fails where no loop can be
/// lanes; the operation then stays for the scalar path.
mlir::FailureOr<PricedPlan> planKernel(mlir::linalg::LinalgOp op,
                                       const LinearNest &nest,
                                       const CpuTarget &target);

/// Cycles of `op` as it would be emitted, if its data are at hand; nothing where no
/// emitter takes it.
std::optional<double> priceKernel(mlir::linalg::LinalgOp op, const CpuTarget &target);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_KERNELPLANNER_H
