// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes what specialised programs no longer need: Python functions, cells and
// namespaces. Parameters stay, used or not: they are the program's state.
//
// Before:                                      After:
//   net.cell @network class "Net" …              net.parameter @w : …
//   net.python.func @Net.construct(self, x) {…}  func.func @train.step(…) {…}
//   net.parameter @w : …                         net.entry @train calls @train.step …
//   func.func @train.step(…) {…}
//
// Test: test/compiler/specialize/remove_python_level.mlir.

#include "compiler/specialize/Passes.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEPYTHONLEVELPASS
#include "compiler/specialize/Passes.h.inc"

namespace {

struct RemovePythonLevel : impl::RemovePythonLevelPassBase<RemovePythonLevel> {
  void runOnOperation() override {
    for (mlir::Operation &op : llvm::make_early_inc_range(getOperation().getOps()))
      if (mlir::isa<net::PythonFuncOp, net::CellOp, net::NamespaceOp>(op))
        op.erase();
  }
};

} // namespace
} // namespace plumb
