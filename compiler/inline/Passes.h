// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage inline: no call is left. See README.md.

#ifndef PLUMB_COMPILER_INLINE_PASSES_H
#define PLUMB_COMPILER_INLINE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/inline/Passes.h.inc"

/// Adds the passes of the stage, in order.
void buildInlinePipeline(mlir::OpPassManager &pm);

/// Registers the passes of the stage, and the stage itself as `--plumb-inline`.
void registerInlinePipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_INLINE_PASSES_H
