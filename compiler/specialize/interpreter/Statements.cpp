// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements one behind the other, and `if`. Each runner calls `next` with the way in which its statement ended; the
// calls nest, so locals of a runner stay alive for everything that follows it.
//
// A branch on a tensor that may leave its block early (return, break, continue) runs what follows inside of its two
// sides; any other is joined and goes on once (Exits.cpp).

#include "compiler/specialize/interpreter/Statements.h"
#include "compiler/specialize/interpreter/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

FailureOr<Exit> Statements::runBlock(Block &block, Continuation next) {
  return runFrom(block.begin(), block.end(), next);
}

/// The exit of an operation that ends its block; nothing for others.
std::optional<Exit> Statements::getEnd(Operation &op) {
  if (isa<net::PythonBreakOp>(op))
    return Exit{Flow::Break, op.getLoc()};
  if (isa<net::PythonContinueOp>(op))
    return Exit{Flow::Continue, op.getLoc()};
  if (auto condition = dyn_cast<net::PythonConditionOp>(op))
    return Exit{Flow::Next, op.getLoc(), run.state.get(condition.getValue())};
  if (auto returnOp = dyn_cast<net::PythonReturnOp>(op))
    return Exit{Flow::Return, op.getLoc(), run.state.getKept(returnOp.getValue())};
  return std::nullopt;
}

FailureOr<Exit> Statements::runFrom(Block::iterator from, Block::iterator end, Continuation next) {
  for (Block::iterator it = from; it != end; ++it) {
    Operation &op = *it;
    auto rest = [&](Exit exit) -> FailureOr<Exit> {
      return exits.proceed(exit, [&](Exit reached) -> FailureOr<Exit> {
        return reached.flow == Flow::Next ? runFrom(std::next(it), end, next) : next(reached);
      });
    };
    if (auto ifOp = dyn_cast<net::PythonIfOp>(op))
      return runIf(ifOp, rest);
    if (auto forOp = dyn_cast<net::PythonForOp>(op))
      return interpreter.unrolledLoops.runFor(forOp, rest);
    if (auto whileOp = dyn_cast<net::PythonWhileOp>(op))
      return interpreter.unrolledLoops.runWhile(whileOp, rest);
    if (auto tryOp = dyn_cast<net::PythonTryOp>(op))
      return interpreter.exceptions.runTry(tryOp, rest);
    if (auto exit = getEnd(op))
      return next(*exit);
    auto raise = dyn_cast<net::PythonRaiseOp>(op);
    if (failed(raise ? raises.raise(op.getLoc(), escapeBraces(raise.getMessage()))
                     : interpreter.expressions.evaluate(op)))
      return failure();
    if (std::exchange(run.frame.hasRaised, false))
      return next(Exit{Flow::Raise, op.getLoc()});
    if (!run.frame.pending.empty()) {
      auto exit = exits.takePending(Exit{Flow::Next, op.getLoc()});
      return failed(exit) ? exit : rest(*exit);
    }
  }
  Location where = from == end ? UnknownLoc::get(context()) : end->getLoc();
  return next(Exit{Flow::Next, where});
}

FailureOr<Exit> Statements::runIf(net::PythonIfOp op, Continuation next) {
  auto truth = interpreter.conditions.getTruth(op.getLoc(), run.state.get(op.getCondition()));
  if (failed(truth))
    return failure();
  if (auto *condition = std::get_if<Value>(&*truth)) {
    auto known = knownTensors.findTruth(*condition);
    if (!known)
      return runBranches(op, *condition, next);
    *truth = *known;
  }
  Region &region = std::get<bool>(*truth) ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return next(Exit{Flow::Next, op.getLoc()});
  return runBlock(region.front(), next);
}

/// Whether control may leave `op` other than past its end, also by raising what a `try` around hears of.
static bool mayEscape(Operation *op, bool throws) {
  auto result = op->walk([&](Operation *inner) {
    if (isa<net::PythonReturnOp>(inner) || (throws && isa<net::PythonRaiseOp>(inner)))
      return WalkResult::interrupt();
    if (!isa<net::PythonBreakOp, net::PythonContinueOp>(inner))
      return WalkResult::advance();
    Operation *loop = inner->getParentOp();
    while (loop != op && !isa<net::PythonForOp, net::PythonWhileOp>(loop))
      loop = loop->getParentOp();
    return loop == op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether control may leave `region` past its end.
static bool fallsThrough(Region &region) {
  if (region.empty() || region.front().empty())
    return true;
  Operation &last = region.front().back();
  if (auto branch = dyn_cast<net::PythonIfOp>(last))
    return fallsThrough(branch.getThenRegion()) || fallsThrough(branch.getElseRegion());
  return !isa<net::PythonReturnOp, net::PythonBreakOp, net::PythonContinueOp, net::PythonRaiseOp>(last);
}

/// Where only one side goes on, what follows is written into that side; else both are joined first, so that it is
/// written once.
FailureOr<Exit> Statements::runBranches(net::PythonIfOp op, Value condition, Continuation next) {
  Region &then = op.getThenRegion(), &otherwise = op.getElseRegion();
  bool inside = mayEscape(op, run.frame.throwing.has_value()) && !(fallsThrough(then) && fallsThrough(otherwise));
  auto stay = [](Exit exit) -> FailureOr<Exit> { return exit; };
  Continuation follow = inside ? next : Continuation(stay);
  auto runSide = [&](Region &region) -> FailureOr<Exit> {
    return region.empty() ? follow(Exit{Flow::Next, op.getLoc()}) : runBlock(region.front(), follow);
  };
  auto exit =
      exits.runTwoWays(op.getLoc(), condition, [&] { return runSide(then); }, [&] { return runSide(otherwise); }, op);
  return failed(exit) || inside ? exit : exits.proceed(*exit, next);
}

} // namespace plumb::specialize
