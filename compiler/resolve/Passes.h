// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resolve stage: from unresolved names to the objects they mean.

#ifndef PLUMB_COMPILER_RESOLVE_PASSES_H
#define PLUMB_COMPILER_RESOLVE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/resolve/Passes.h.inc"

/// Adds the stage's passes in their order.
void buildResolvePipeline(mlir::OpPassManager &pm);

/// Registers the stage's passes and `--plumb-resolve`.
void registerResolvePipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_RESOLVE_PASSES_H
