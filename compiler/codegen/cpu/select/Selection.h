// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects plans and writes them to the operations.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_SELECTION_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_SELECTION_H

#include "compiler/codegen/common/CpuTarget.h"

#include "mlir/IR/Operation.h"

namespace plumb {

/// Sets `kernel.plan` on each linalg operation inside of `root` that has none, that vector code can be emitted for, and
/// that belongs to no other operation's epilogue. Reports an error where a plan that is there does not fit.
mlir::LogicalResult selectPlans(mlir::Operation *root, const CpuTarget &target);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_SELECTION_H
