// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage `sink`: from step functions to a device module. See README.md.

#ifndef PLUMB_COMPILER_SINK_PASSES_H
#define PLUMB_COMPILER_SINK_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/sink/Passes.h.inc"

/// Adds the stage's passes in their order.
void buildSinkPipeline(mlir::OpPassManager &pm);

/// Registers the stage's passes and its pipeline `plumb-sink`.
void registerSinkPipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_SINK_PASSES_H
