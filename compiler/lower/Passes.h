// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage `lower`: from tensors to buffers at static offsets. See README.md.

#ifndef PLUMB_COMPILER_LOWER_PASSES_H
#define PLUMB_COMPILER_LOWER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/lower/Passes.h.inc"

/// Adds the stage's passes in their order.
void buildLowerPipeline(mlir::OpPassManager &pm);

/// Registers the stage's passes and its pipeline `plumb-lower`.
void registerLowerPipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_PASSES_H
