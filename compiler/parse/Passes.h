// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parse stage, as far as it is work on IR: the check of what came in.

#ifndef PLUMB_COMPILER_PARSE_PASSES_H
#define PLUMB_COMPILER_PARSE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/parse/Passes.h.inc"

/// Adds the stage's passes in their order.
void buildParsePipeline(mlir::OpPassManager &pm);

/// Registers the stage's passes and `--plumb-parse`.
void registerParsePipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_PARSE_PASSES_H
