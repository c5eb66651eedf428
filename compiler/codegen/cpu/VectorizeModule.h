// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the three vectorizing passes share: each walks the module for its kind
// of operation, plans it and emits it.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_VECTORIZEMODULE_H
#define PLUMB_COMPILER_CODEGEN_CPU_VECTORIZEMODULE_H

#include "compiler/codegen/common/CpuTarget.h"
#include "compiler/codegen/cpu/KernelPlanner.h"

#include "mlir/IR/BuiltinOps.h"

namespace plumb {

/// Results of `op`, and of what is marked to be done in its end, that the emitted code
/// has in registers only: no byte of their buffers is touched.
llvm::SmallVector<mlir::Value> findUnstored(mlir::linalg::LinalgOp op,
                                            const CpuTarget &target);

/// Emits every operation of `module` that `isMine` accepts and that can be
/// planned; the rest stays as it is.
mlir::LogicalResult
vectorizeModule(mlir::ModuleOp module, llvm::StringRef targetCpu,
                llvm::function_ref<bool(mlir::linalg::LinalgOp)> isMine);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_VECTORIZEMODULE_H
