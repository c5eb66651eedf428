// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage optimize: each entry is one flat graph, simplified. See README.md.

#ifndef PLUMB_COMPILER_OPTIMIZE_PASSES_H
#define PLUMB_COMPILER_OPTIMIZE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/optimize/Passes.h.inc"

/// Adds the passes of the stage, in order.
void buildOptimizePipeline(mlir::OpPassManager &pm);

/// Registers the passes of the stage, and the stage itself as `--plumb-optimize`.
void registerOptimizePipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_OPTIMIZE_PASSES_H
