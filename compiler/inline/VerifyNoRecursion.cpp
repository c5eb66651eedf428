// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the call graph depth first from every function and keeps the path of calls by which it came. A call to a
// function on that path closes a cycle: the error stands there, and a note at each call of the cycle, so that the
// reader can follow it round. Test: test/compiler/inline/verify_no_recursion_invalid.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/inline/Passes.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYNORECURSIONPASS
#include "compiler/inline/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// One call on the present path.
struct CallStep {
  func::FuncOp caller;
  Operation *call;
};

/// Looks for cycles in the call graph.
class RecursionFinder {
public:
  /// Fails with a diagnostic where a cycle can be reached from `function`.
  LogicalResult visit(func::FuncOp function);

private:
  /// Follows the calls in `function`.
  LogicalResult visitCalls(func::FuncOp function);
  /// Reports the cycle that the last step of the path closes by calling `target`.
  LogicalResult report(func::FuncOp target);

  SymbolTableCollection symbols;
  SmallVector<CallStep> path;
  llvm::DenseSet<Operation *> onPath;
  llvm::DenseSet<Operation *> finished;
};

} // namespace

LogicalResult RecursionFinder::visit(func::FuncOp function) {
  if (finished.contains(function))
    return success();
  if (!onPath.insert(function).second)
    return report(function);
  if (failed(visitCalls(function)))
    return failure();
  onPath.erase(function);
  finished.insert(function);
  return success();
}

LogicalResult RecursionFinder::visitCalls(func::FuncOp function) {
  WalkResult walk = function.walk([&](Operation *op) {
    func::FuncOp callee = lookupCallee(op, symbols);
    if (!callee)
      return WalkResult::advance();
    path.push_back({function, op});
    if (failed(visit(callee)))
      return WalkResult::interrupt();
    path.pop_back();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult RecursionFinder::report(func::FuncOp target) {
  CallStep last = path.back();
  InFlightDiagnostic diagnostic = emitError(last.call->getLoc(), "recursion: '")
                                  << last.caller.getSymName() << "' calls '" << target.getSymName()
                                  << "', which is being called already; a compiled step must have a finite graph, so "
                                     "write a loop instead";
  auto start = llvm::find_if(path, [&](const CallStep &step) { return step.caller == target; });
  for (unsigned i = start - path.begin(), e = path.size() - 1; i < e; ++i)
    diagnostic.attachNote(path[i].call->getLoc())
        << "'" << path[i].caller.getSymName() << "' calls '" << path[i + 1].caller.getSymName() << "' here";
  return diagnostic;
}

namespace {

struct VerifyNoRecursionPass : public plumb::impl::VerifyNoRecursionPassBase<VerifyNoRecursionPass> {
  void runOnOperation() override {
    RecursionFinder finder;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(finder.visit(function)))
        return signalPassFailure();
  }
};

} // namespace
