// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of typed functions, found in what specialize has written.

#include "compiler/specialize/Effects.h"

#include "dialects/net/ir/NetStateOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace plumb::specialize {

/// Visits the operations of `function` and of those that are mentioned in it, each function once.
static void walkReached(func::FuncOp function, const SymbolTable &symbols, SmallPtrSetImpl<Operation *> &seen,
                        llvm::function_ref<void(Operation *)> visit) {
  if (!function || !seen.insert(function).second)
    return;
  function.walk([&](Operation *op) {
    visit(op);
    op->getAttrDictionary().walk([&](FlatSymbolRefAttr mentioned) {
      walkReached(symbols.lookup<func::FuncOp>(mentioned.getValue()), symbols, seen, visit);
    });
  });
}

Effects getEffects(func::FuncOp function) {
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  Effects found;
  SmallPtrSet<Operation *, 8> seen;
  walkReached(function, symbols, seen, [&](Operation *op) {
    if (isa<net::PrintOp>(op))
      found.print = op;
    else if (isa<net::StateOpInterface>(op) && !isa<net::ReadOp>(op))
      found.stateful = op;
    found.hasRule |= op->hasAttr("custom_bprop");
  });
  return found;
}

} // namespace plumb::specialize
