// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target of a pass.

#ifndef PLUMB_COMPILER_TARGET_FINDTARGET_H
#define PLUMB_COMPILER_TARGET_FINDTARGET_H

#include "compiler/target/CpuTarget.h"

#include "mlir/IR/BuiltinOps.h"

namespace plumb {

/// The processor that `module` is compiled for: `name` if given, else the target of its device module, else this
/// machine. Reports unknown ones.
mlir::FailureOr<CpuTarget> findTarget(mlir::ModuleOp module, llvm::StringRef name);

} // namespace plumb

#endif // PLUMB_COMPILER_TARGET_FINDTARGET_H
