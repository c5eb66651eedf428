// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a linalg operation: how it combines partial results, the initial values of its accumulators, whether its
// body can be vectorized, and how many operations it executes. Contractions are recognised by ReductionBodies.h.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_ANALYSIS_OPFACTS_H
#define PLUMB_COMPILER_CODEGEN_CPU_ANALYSIS_OPFACTS_H

#include "compiler/support/ReductionBodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace plumb {

/// By result of an operation, how partial results combine.
using CombiningKinds = llvm::SmallVector<mlir::vector::CombiningKind, 2>;

/// By result, how `op` combines a function of its inputs with its accumulator, if each result is
/// yield(combine(accumulator, f(inputs))).
std::optional<CombiningKinds> getReductionKinds(mlir::linalg::LinalgOp op);

/// The fill right before `op` whose value is the start of `op`'s accumulators for `result`, and which no other
/// operation reads; null if there is none.
mlir::linalg::FillOp findInitialFill(mlir::linalg::LinalgOp op, unsigned result);

/// Whether every operation of the body of `op` has a vector form.
bool isVectorizable(mlir::linalg::LinalgOp op);

/// The operand of `add` that is a multiplication with no other use, which one fused
/// multiply-add can replace; -1 where there is none.
int findFusedMultiply(mlir::arith::AddFOp add);

/// Vector operations of one execution of the body of `op`; a function counts as twelve.
int64_t countOperations(mlir::linalg::LinalgOp op);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_ANALYSIS_OPFACTS_H
