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

#include "compiler/specialize/Interpreter.h"

#include "llvm/Support/Regex.h"

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
struct Interpreter::Attempt {
  std::optional<Exit> exit;      ///< Null where it failed.
  SmallVector<Problem> problems; ///< What it has reported.
  bool isConditional = false;    ///< It failed where the caller cannot go on.
};

/// The class that an exception's message begins with; empty where it is no exception.
static StringRef getExceptionClass(StringRef message) {
  static const llvm::Regex named("^([A-Za-z_][A-Za-z_0-9.]*): ");
  SmallVector<StringRef> parts;
  return named.match(message, &parts) ? parts[1] : StringRef();
}

Interpreter::Attempt Interpreter::attempt(Region &region) {
  Attempt made;
  unsigned before = depth;
  FailureOr<Exit> exit = failure();
  {
    OpBuilder::InsertionGuard guard(builder);
    bool outer = std::exchange(failsConditionally, false);
    auto around = std::exchange(attempted, countConditions());
    ScopedDiagnosticHandler handler(context(), [&](Diagnostic &diagnostic) {
      made.problems.push_back(Problem{std::move(diagnostic), chain.sites});
      return success();
    });
    exit = runBlock(region.front(), [](Exit reached) -> FailureOr<Exit> { return reached; });
    made.isConditional = failed(exit) && (failsConditionally || depth != before);
    failsConditionally = outer;
    attempted = around;
  }
  if (succeeded(exit))
    made.exit = *exit;
  if (!made.isConditional)
    depth = before;
  journals.resize(depth);
  return made;
}

/// Reports what was held back, from the calls that it came from.
void Interpreter::report(Attempt &made) {
  failsConditionally |= made.isConditional;
  for (Problem &problem : made.problems) {
    std::swap(chain.sites, problem.chain);
    context()->getDiagEngine().emit(std::move(problem.diagnostic));
    std::swap(chain.sites, problem.chain);
  }
  made.problems.clear();
}

/// The live exception that a failed attempt raised; nothing where none can be handled.
std::optional<AbstractValue> Interpreter::getException(Attempt &made) {
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
  return *exception;
}

/// The body and, where it raises, the handler.
Interpreter::Attempt Interpreter::runHandled(net::PythonTryOp op) {
  Attempt body = attempt(op.getBody());
  if (body.exit || op.getHandler().empty())
    return body;
  auto exception = getException(body);
  if (!exception)
    return body;
  exceptions.push_back(*exception);
  Attempt handled = attempt(op.getHandler());
  exceptions.pop_back();
  if (handled.exit || !handled.problems.empty())
    return handled;
  // `raise`, or no `except` of the exception's class.
  handled.problems = std::move(body.problems);
  return handled;
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

FailureOr<Exit> Interpreter::runTry(net::PythonTryOp op, Continuation next) {
  DenseSet<StringAttr> outer = state.readLast;
  state.readLast.insert_range(getNamesRead(op.getLast()));
  Attempt made = runHandled(op);
  state.readLast = std::move(outer);
  auto runLast = [&](Continuation then) -> FailureOr<Exit> {
    if (op.getLast().empty())
      return then(Exit{Flow::Next, op.getLoc()});
    auto last = runBlock(op.getLast().front(), [](Exit reached) -> FailureOr<Exit> { return reached; });
    return failed(last) ? last : proceed(*last, then);
  };
  if (made.exit) {
    report(made);
    return proceed(*made.exit, [&](Exit reached) {
      return runLast([&](Exit last) { return next(last.flow == Flow::Next ? reached : last); });
    });
  }
  // What is no exception ends compilation at once: the last block might only hide it.
  if (op.getLast().empty() || (made.problems.size() == 1 && !getException(made)) || made.isConditional) {
    report(made);
    return failure();
  }
  return runLast([&](Exit last) -> FailureOr<Exit> {
    if (last.flow != Flow::Next)
      return next(last); // `finally: return` drops the exception.
    report(made);
    return failure();
  });
}

/// What the front end makes of handlers: the exception, whether it is of a class, and raising it again.
Result Interpreter::callExceptionBuiltin(Location location, StringRef name, const Arguments &arguments) {
  if (exceptions.empty())
    return error(location) << "RuntimeError: No active exception to reraise";
  if (name == "reraise")
    return failure(); // runHandled reports what was raised.
  if (name == "exception")
    return exceptions.back();
  Arguments question{{exceptions.back(), arguments.positional[0]}, {}};
  return live.ask(location, "caught", question);
}

} // namespace plumb::specialize
