// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How patterns and the canonicalizer run before codegen: every region there is one block, so what MLIR does behind them
// by default, merging blocks and looking for those that nothing reaches, finds nothing. It would look at the content of
// each operation once per operation around it, which takes seconds for branches a thousand deep.

#ifndef PLUMB_COMPILER_SUPPORT_STRUCTUREDREWRITES_H
#define PLUMB_COMPILER_SUPPORT_STRUCTUREDREWRITES_H

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {

/// The configuration of rewrites on regions of one block.
inline mlir::GreedyRewriteConfig getStructuredConfig() {
  mlir::GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
  return config;
}

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_STRUCTUREDREWRITES_H
