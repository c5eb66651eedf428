// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of typed functions, found in what specialize has written.

#include "compiler/specialize/interpreter/Effects.h"

#include "dialects/check/ir/Check.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
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

/// Whether an operation may end the launch, as an index out of range does, or never ends.
static bool isUnsafe(Operation *op) {
  SmallVector<net::IndexRange> ranges;
  if (auto indexing = dyn_cast<net::IndexingOpInterface>(op))
    indexing.getIndexRanges(ranges);
  auto isComputed = [](const net::IndexRange &range) { return !matchPattern(range.indices, m_Constant()); };
  return isa<scf::WhileOp, check::AssertOp>(op) || llvm::any_of(ranges, isComputed);
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
    if (isUnsafe(op))
      found.unsafe = op;
    found.hasRule |= op->hasAttr("custom_bprop");
  });
  return found;
}

} // namespace plumb::specialize
