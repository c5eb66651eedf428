// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds auto_monad to its promise: every effect takes and yields a token, and the tokens of a kind form one chain, so
// that no two effects may claim the same place in the order. A token is continued at most once per block; the two
// branches of an `scf.if` may both start from the token around it, since only one of them runs. `net.depend` looks at
// a token without continuing it. Test: test/compiler/auto_monad/verify_state_tokens_invalid.mlir.

#include "compiler/auto_monad/Passes.h"
#include "compiler/auto_monad/Tokens.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYSTATETOKENSPASS
#include "compiler/auto_monad/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Fails where two ops of the token's own block, or ops nested in two of them, continue `token`.
static LogicalResult verifyContinuedOnce(Value token) {
  Operation *first = nullptr;
  for (Operation *user : token.getUsers()) {
    Operation *ancestor = token.getParentBlock()->findAncestorOpInBlock(*user);
    if (isa<net::DependOp>(user) || ancestor == first)
      continue;
    if (first) {
      Operation *later = first->isBeforeInBlock(ancestor) ? ancestor : first;
      Operation *earlier = later == first ? ancestor : first;
      InFlightDiagnostic diagnostic = later->emitOpError("continues a state token that was continued before");
      diagnostic.attachNote(earlier->getLoc()) << "first continued here";
      return diagnostic;
    }
    first = ancestor;
  }
  return success();
}

/// Checks one op: a state op has its token, and the tokens it yields are continued at most once.
static LogicalResult verifyTokens(Operation *op) {
  auto state = dyn_cast<net::StateOpInterface>(op);
  if (state && !state.hasToken())
    return op->emitOpError("has an effect but takes no state token");
  for (Value result : op->getResults())
    if (isTokenType(result.getType()) && failed(verifyContinuedOnce(result)))
      return failure();
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      if (isTokenType(argument.getType()) && failed(verifyContinuedOnce(argument)))
        return failure();
  return success();
}

namespace {

struct VerifyStateTokensPass : public plumb::impl::VerifyStateTokensPassBase<VerifyStateTokensPass> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk(
        [](Operation *op) { return failed(verifyTokens(op)) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
