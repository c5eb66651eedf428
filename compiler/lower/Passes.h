// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage `lower`: from tensors to buffers at static offsets. See README.md.

#ifndef PLUMB_COMPILER_LOWER_PASSES_H
#define PLUMB_COMPILER_LOWER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/lower/Passes.h.inc"

/// The options of the stage.
struct LowerOptions {
  /// `native`, `x86-64-v2`, … or a processor's name; empty: the device module's target, else this machine. Fused
  /// operations, layouts, split reductions and the arena depend on its lanes, streams and caches.
  std::string targetCpu;
};

/// Adds the stage's passes in their order.
void buildLowerPipeline(mlir::OpPassManager &pm, const LowerOptions &options = {});

/// Registers the stage's passes and its pipeline `plumb-lower`.
void registerLowerPipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_PASSES_H
