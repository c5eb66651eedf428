// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage auto_monad: every effect takes and yields a state token. See README.md.

#ifndef PLUMB_COMPILER_AUTO_MONAD_PASSES_H
#define PLUMB_COMPILER_AUTO_MONAD_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/auto_monad/Passes.h.inc"

/// Adds the passes of the stage, in order.
void buildAutoMonadPipeline(mlir::OpPassManager &pm);

/// Registers the passes of the stage, and the stage itself as `--plumb-auto-monad`.
void registerAutoMonadPipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_AUTO_MONAD_PASSES_H
