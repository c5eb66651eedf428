// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes functions, cells and modules that no entry can reach once names are
// bound: the front end prints whole classes, and most of a library's methods
// are not called. Parameters stay, since they are the program's state.
//
// Reachability follows symbols inside any attribute: constants, members of
// reached cells and modules, methods, default values, entries. A method of a
// class counts as reached with its cell, since `self` is bound only later.
//
// Test: test/compiler/resolve/remove_unreachable_symbols.mlir.

#include "compiler/resolve/Passes.h"
#include "compiler/support/LivePython.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/IR/SymbolTable.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEUNREACHABLESYMBOLSPASS
#include "compiler/resolve/Passes.h.inc"

namespace {

using namespace mlir;

/// Symbols that the attributes of `op` mention. The `names` of a function are
/// left out: what it really uses stands in its body by now.
void collectSymbols(Operation *op, SmallVectorImpl<StringAttr> &found) {
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (isa<net::PythonFuncOp>(op) && attribute.getName() == "names")
      continue;
    attribute.getValue().walk([&](FlatSymbolRefAttr symbol) { found.push_back(symbol.getAttr()); });
  }
}

/// Adds what `symbol` and everything inside it mentions.
void visit(Operation *symbol, SmallVectorImpl<StringAttr> &found) {
  symbol->walk([&](Operation *op) { collectSymbols(op, found); });
}

struct RemoveUnreachableSymbols : impl::RemoveUnreachableSymbolsPassBase<RemoveUnreachableSymbols> {
  void runOnOperation() override {
    // What the live process answers later may mention anything it has printed.
    if (LivePython::get(&getContext()))
      return;
    SymbolTable symbols(getOperation());
    SmallVector<StringAttr> pending;
    for (auto entry : getOperation().getOps<net::EntryOp>())
      visit(entry, pending);
    // Methods of tensors are found through their namespace by name alone.
    pending.push_back(StringAttr::get(&getContext(), "plumb.Tensor"));
    llvm::DenseSet<Operation *> reached;
    while (!pending.empty()) {
      Operation *symbol = symbols.lookup(pending.pop_back_val());
      if (symbol && reached.insert(symbol).second)
        visit(symbol, pending);
    }
    for (Operation &op : llvm::make_early_inc_range(getOperation().getOps()))
      if (isa<net::PythonFuncOp, net::CellOp, net::NamespaceOp>(op) && !reached.contains(&op))
        op.erase();
  }
};

} // namespace
} // namespace plumb
