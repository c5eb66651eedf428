// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage autodiff: no gradient is left to expand. See README.md.

#ifndef PLUMB_COMPILER_AUTODIFF_PASSES_H
#define PLUMB_COMPILER_AUTODIFF_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/autodiff/Passes.h.inc"

/// Adds the passes of the stage, in order.
void buildAutodiffPipeline(mlir::OpPassManager &pm);

/// Registers the passes of the stage, and the stage itself as `--plumb-autodiff`.
void registerAutodiffPipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_PASSES_H
