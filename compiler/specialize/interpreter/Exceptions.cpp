// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `try`: exceptions that arise while compiling follow Python's ways.
//
// An error is a diagnostic and a failure. While the body of a `try` runs, its diagnostics are held back; where the body
// fails with one that is an exception of Python's, the handler runs in the names that were reached, as in CPython, and
// what the body has written so far stays. Three kinds of errors are no exceptions and end compilation as before: those
// that refuse what compiled functions cannot do (they are declared as such, DiagnosticKind.h), those under a condition
// on a tensor, which may never arise, and those in a function that had changed its caller's lists, dicts or attributes
// before.
//
// A `raise` under a condition on a tensor is a way out of the body, like `break` out of a loop, and the handlers run
// where it leads:
//
//   try:                                   scf.if %negative {
//       if x.sum() < 0:                      <y = ops.zeros_like(x)>
//           raise ValueError("no")   =>    } else {
//       y = ops.sqrt(x)                      <y = ops.sqrt(x)>
//   except ValueError:                     }
//       y = ops.zeros_like(x)
//
// A function that is called in the body gives what it raises to its caller as booleans. Each exception is known while
// compiling, but for the tensors in its text, so which handler takes it is decided there.

#include "compiler/specialize/interpreter/Exceptions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace plumb::specialize {

namespace {
/// A diagnostic held back, with the calls that led to it.
struct Problem {
  Diagnostic diagnostic;
  SmallVector<CallSite> chain;
};
} // namespace

/// How the body of a `try` ended.
struct Exceptions::Attempt {
  std::optional<Exit> exit;      ///< Null where it failed.
  SmallVector<Problem> problems; ///< What it has reported.
  bool isConditional = false;    ///< It failed where the caller cannot go on.
  bool isHandled = false;        ///< Handlers have run in it.
};

/// The class that an exception's message begins with; empty where it is no exception.
static StringRef getExceptionClass(StringRef message) {
  static const llvm::Regex named("^([A-Za-z_][A-Za-z_0-9.]*): ");
  SmallVector<StringRef> parts;
  return named.match(message, &parts) ? parts[1] : StringRef();
}

/// Runs the body of a `try`, or a handler. What it throws, the handlers take where it is raised.
Exceptions::Attempt Exceptions::attempt(Region &region, Region *handler) {
  Attempt made;
  unsigned before = depth;
  FailureOr<Exit> exit = failure();
  {
    OpBuilder::InsertionGuard guard(builder);
    bool outer = std::exchange(run.failsConditionally, false);
    auto around = std::exchange(run.attempted, run.countConditions());
    auto throwingAround = std::exchange(run.frame.throwing, run.frame.number);
    ScopedDiagnosticHandler diagnostics(context(), [&](Diagnostic &diagnostic) {
      made.problems.push_back(Problem{std::move(diagnostic), run.chain.sites});
      return success();
    });
    exit = blocks.runBlock(region.front(), [&](Exit reached) -> FailureOr<Exit> {
      if (reached.thrown.empty() || !handler)
        return reached;
      made.isHandled = true;
      llvm::SaveAndRestore restoresAttempted(run.attempted, around);
      llvm::SaveAndRestore restoresThrowing(run.frame.throwing, throwingAround);
      return runHandlers(reached, *handler);
    });
    made.isConditional = failed(exit) && (run.failsConditionally || depth != before);
    run.failsConditionally = outer;
    run.attempted = around;
    run.frame.throwing = throwingAround;
  }
  if (succeeded(exit))
    made.exit = *exit;
  else
    run.frame.pending.clear();
  if (!made.isConditional)
    depth = before;
  run.frame.journals.resize(depth);
  return made;
}

/// Reports what was held back, from the calls that it came from.
void Exceptions::report(Attempt &made) {
  run.failsConditionally |= made.isConditional;
  for (Problem &problem : made.problems) {
    std::swap(run.chain.sites, problem.chain);
    context()->getDiagEngine().emit(std::move(problem.diagnostic));
    std::swap(run.chain.sites, problem.chain);
  }
  made.problems.clear();
}

/// The exception that a failed attempt raised; nothing where none can be handled.
std::optional<Thrown> Exceptions::getException(Attempt &made) {
  if (made.isConditional || made.problems.size() != 1 || !isLive())
    return std::nullopt;
  Diagnostic &problem = made.problems.front().diagnostic;
  std::string message = problem.str();
  StringRef name = getExceptionClass(message);
  if (name.empty() || getKind(problem) != DiagnosticKind::Error)
    return std::nullopt;
  Result exception = live.ask(problem.getLocation(), "exception",
                              {{string(name), string(StringRef(message).drop_front(name.size() + 2))}, {}});
  if (failed(exception) || isNone(*exception))
    return std::nullopt;
  return Thrown{problem.getLocation(), *exception, escapeBraces(message), AbstractValue::getTuple({})};
}

/// Whether one statement raises both as one class: to handlers that do not read their texts, they are the same.
static bool areOfOneClass(const Thrown &one, const Thrown &other) {
  return one.where == other.where &&
         StringRef(one.format).split(": ").first == StringRef(other.format).split(": ").first;
}

/// The first exception of an exit with the names that those of its class have no value for, and the booleans of all.
static std::pair<Thrown, SmallVector<AbstractValue>> getFirstOfClass(const Exit &exit) {
  Thrown first = exit.thrown.front();
  SmallVector<AbstractValue> flags;
  for (const Thrown &thrown : exit.thrown) {
    if (!areOfOneClass(first, thrown))
      continue;
    flags.push_back(thrown.taken);
    for (const auto &[name, why] : thrown.unset)
      first.hide(name, why);
  }
  return {first, flags};
}

/// Runs the handlers on what has ended the body of their `try`, each class of exceptions in a branch of its own, and
/// each exception where the handler reads which one it is.
FailureOr<Exit> Exceptions::runHandlers(Exit exit, Region &handler) {
  if (exit.thrown.empty())
    return exit;
  bool isRead = false;
  if (exit.thrown.front().taken.isUndefined())
    return runHandler(exit.thrown.front(), handler, isRead);
  auto [first, flags] = getFirstOfClass(exit);
  const Thrown &thrown = first;
  Result any = exits.isAny(thrown.where, flags);
  if (failed(any))
    return failure();
  Value one = exits.extractFlag(thrown.where, thrown.taken), all = exits.extractFlag(thrown.where, *any);
  auto runRest = [&]() -> FailureOr<Exit> {
    Exit rest = exit;
    SmallVector<Thrown, 0> others; // Of the class, each of which is handled for itself.
    if (isRead) {
      cast<scf::IfOp>(builder.getInsertionBlock()->getParentOp()).getConditionMutable().assign(one);
      llvm::copy_if(exit.thrown, std::back_inserter(others),
                    [&](const Thrown &other) { return areOfOneClass(other, thrown) && !other.isLike(thrown); });
    }
    llvm::erase_if(rest.thrown, [&](const Thrown &other) { return areOfOneClass(other, thrown); });
    return runEach(thrown.where, others, rest, handler);
  };
  return exits.runTwoWays(thrown.where, all, [&] { return runHandler(thrown, handler, isRead); }, runRest);
}

/// Whether what is raised of some exceptions stands before the place `middle`.
Result Exceptions::isBefore(Location location, ArrayRef<Thrown> thrown, size_t middle, const AbstractValue &raised) {
  if (unsigned number = thrown[middle].number; number && raised.isTensor()) {
    Value first = writer.makeScalar(location, Number{Number::Int, number}, builder.getI32Type());
    return arithmetic.apply(location, "lt", raised, AbstractValue::getTensor(first));
  }
  return exits.isAny(location,
                     llvm::map_to_vector(thrown.take_front(middle), [](const Thrown &one) { return one.taken; }));
}

/// Runs the handlers on the one of some exceptions that is raised, in branches on whether it is the first one. Of many,
/// it is first asked whether it is among the first few of them, so that no branch stands within as many others.
FailureOr<Exit> Exceptions::runOneOf(Location location, ArrayRef<Thrown> thrown, const AbstractValue &raised,
                                     Region &handler) {
  static constexpr size_t kMany = 16;
  bool isRead = false;
  if (thrown.size() == 1)
    return runHandler(thrown.front(), handler, isRead);
  const Thrown *numbered = llvm::find_if(thrown, [](const Thrown &one) { return one.number != 0; });
  bool isMixed = numbered != thrown.begin() && numbered != thrown.end();
  size_t middle = isMixed ? numbered - thrown.begin() : thrown.size() > kMany ? kMany : 1;
  Result isFirst = isBefore(location, thrown, middle, raised);
  if (failed(isFirst))
    return failure();
  return exits.runTwoWays(
      location, exits.extractFlag(location, *isFirst),
      [&] { return runOneOf(location, thrown.take_front(middle), raised, handler); },
      [&] { return runOneOf(location, thrown.drop_front(middle), raised, handler); });
}

/// Runs the handlers on each of some exceptions for itself, and on those of the rest.
FailureOr<Exit> Exceptions::runEach(Location location, ArrayRef<Thrown> thrown, const Exit &rest, Region &handler) {
  bool isRestReached = !rest.thrown.empty() || mayStay(rest) || mayReturn(rest);
  if (thrown.empty())
    return isRestReached ? runHandlers(simplify(rest), handler) : FailureOr<Exit>(Exit{Flow::Raise, location});
  if (!isRestReached)
    return runOneOf(location, thrown, rest.raised, handler);
  Result any = exits.isAny(location, llvm::map_to_vector(thrown, [](const Thrown &one) { return one.taken; }));
  if (failed(any))
    return failure();
  return exits.runTwoWays(
      location, exits.extractFlag(location, *any), [&] { return runOneOf(location, thrown, rest.raised, handler); },
      [&] { return runHandlers(simplify(rest), handler); });
}

/// Runs the handlers on one exception; `isRead` becomes whether more than its class matters.
FailureOr<Exit> Exceptions::runHandler(const Thrown &thrown, Region &handler, bool &isRead) {
  for (const auto &[name, why] : thrown.unset)
    run.state.names[name] = why;
  run.exceptions.push_back({thrown, /*isStatic=*/false, run.countConditions()});
  auto exit = blocks.runBlock(handler.front());
  isRead = run.exceptions.pop_back_val().isRead;
  return exit;
}

/// The body and, where it raises, the handler.
Exceptions::Attempt Exceptions::runHandled(net::PythonTryOp op) {
  Attempt body = attempt(op.getBody(), op.getHandler().empty() ? nullptr : &op.getHandler());
  if (body.exit || op.getHandler().empty() || body.isHandled)
    return body;
  auto exception = getException(body);
  if (!exception)
    return body;
  run.exceptions.push_back({*exception, /*isStatic=*/true, run.countConditions()});
  Attempt handled = attempt(op.getHandler());
  run.exceptions.pop_back();
  if (handled.exit || !handled.problems.empty())
    return handled;
  // `raise`, or no `except` of the exception's class.
  handled.problems = std::move(body.problems);
  return handled;
}

/// Has what no `try` around hears of end the launch.
FailureOr<Exit> Exceptions::settle(Exit exit) {
  if (run.attempted)
    return exit;
  for (const Thrown &thrown : exit.thrown) {
    auto taken = writer.toTensor(thrown.where, thrown.taken.isUndefined() ? makeBool(true) : thrown.taken);
    if (failed(taken) || failed(raises.endLaunchIf(thrown.where, AbstractValue::getTensor(*taken), thrown.format,
                                                   thrown.values.getTensors())))
      return failure();
  }
  exit.thrown.clear();
  return exit.flow == Flow::Throw ? Exit{Flow::Raise, exit.where} : simplify(exit);
}

/// The names that a block reads before it assigns them in any case.
static DenseSet<StringAttr> getNamesRead(Region &region) {
  DenseSet<StringAttr> read, assigned;
  for (Operation &op : region.getOps()) {
    op.walk([&](net::PythonLoadOp load) {
      if (!assigned.contains(load.getNameAttr()))
        read.insert(load.getNameAttr());
    });
    if (auto store = dyn_cast<net::PythonStoreOp>(op))
      assigned.insert(store.getNameAttr());
  }
  return read;
}

/// Runs the last block, and `then` behind it.
FailureOr<Exit> Exceptions::runLast(net::PythonTryOp op, Continuation then) {
  if (op.getLast().empty())
    return then(Exit{Flow::Next, op.getLoc()});
  auto last = blocks.runBlock(op.getLast().front());
  return failed(last) ? last : exits.proceed(*last, then);
}

/// Takes from the names those that have no value where an exception is raised, before a last block reads them.
void Exceptions::hideUnset(net::PythonTryOp op, const Exit &exit) {
  if (op.getLast().empty())
    return;
  DenseSet<StringAttr> read = getNamesRead(op.getLast());
  for (const Thrown &thrown : exit.thrown)
    for (const auto &[name, why] : thrown.unset)
      if (!mayStay(exit) || read.contains(name))
        run.state.names[name] = why;
}

FailureOr<Exit> Exceptions::runTry(net::PythonTryOp op, Continuation next) {
  DenseSet<StringAttr> outer = run.state.readLast;
  run.state.readLast.insert_range(getNamesRead(op.getLast()));
  Attempt made = runHandled(op);
  run.state.readLast = std::move(outer);
  if (made.exit) {
    report(made);
    return exits.proceed(*made.exit, [&](Exit reached) {
      hideUnset(op, reached);
      return runLast(op, [&](Exit last) -> FailureOr<Exit> {
        auto exit = settle(last.flow == Flow::Next ? reached : last);
        return failed(exit) ? exit : next(*exit);
      });
    });
  }
  // What is no exception ends compilation at once: the last block might only hide it.
  if (op.getLast().empty() || (made.problems.size() == 1 && !getException(made)) || made.isConditional) {
    report(made);
    return failure();
  }
  return runLast(op, [&](Exit last) -> FailureOr<Exit> {
    if (last.flow != Flow::Next)
      return next(last); // `finally: return` drops the exception.
    report(made);
    return failure();
  });
}

Result Exceptions::callBuiltin(Location location, StringRef name, const Arguments &arguments) {
  if (run.exceptions.empty())
    return error(location) << "RuntimeError: No active exception to reraise";
  if (!isLive())
    return raises.refuseHandled(location, run.exceptions.back().thrown.where);
  Handled &handled = run.exceptions.back();
  handled.isRead |= name != "caught";
  if (name == "reraise" && handled.isStatic && handled.conditions == run.countConditions())
    return failure(); // runHandled reports what was raised.
  if (name == "reraise") {
    Thrown again = handled.thrown;
    return yieldNone(raises.raise(again.where, again.format, again.values.getTensors(), again.exception));
  }
  if (name == "caught")
    return live.ask(location, "caught", {{handled.thrown.exception, arguments.positional[0]}, {}});
  if (handled.thrown.values.getElements().empty())
    return handled.thrown.exception;
  return AbstractValue::getUndefined(
      context(),
      "the text of this exception shows tensors, which are only known when the program runs: it can be raised "
      "again, but not used",
      handled.thrown.where);
}

} // namespace plumb::specialize
