// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a module that the three vectorizing passes share: each emits the plans of its kind of operation.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORIZEMODULE_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORIZEMODULE_H

#include "compiler/codegen/cpu/analysis/OpFacts.h"

#include "mlir/IR/BuiltinOps.h"

namespace plumb {

/// Emits every operation of `module` that has a plan and satisfies `accepts`; the others stay. Reports plans that do
/// not fit.
mlir::LogicalResult vectorizeModule(mlir::ModuleOp module, llvm::StringRef targetCpu,
                                    llvm::function_ref<bool(mlir::linalg::LinalgOp)> accepts);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_VECTORIZEMODULE_H
