// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `raise` and `assert` on what only the running program knows.
//
// Outside of conditions on tensors a `raise` is an error of compilation, which a `try` may handle (Exceptions.cpp).
// Under such a condition it becomes a `check.assert` that fails whenever it is reached, and the run of statements ends
// there:
//
//   if x.sum() < 0:                            scf.if %negative {
//       raise ValueError("negative")    =>       check.assert %one, "ValueError: negative"
//   return x * 2                               }
//
// Nothing that a launch computes behind a failed assertion matters, so the branch above yields nothing that says
// whether it was taken, and what follows it stands outside of branches. Where a `try` stands around, an exception is a
// way out of what it is raised in instead, up to the handlers (Exceptions.cpp).

#include "compiler/specialize/Interpreter.h"

#include "compiler/specialize/PackageLocation.h"
#include "dialects/check/ir/Check.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

/// What is raised where no handler can hear of it.
LogicalResult Interpreter::refuseHandled(Location location, std::optional<Location> raised) {
  auto diagnostic =
      refuse(location)
      << "a compiled function cannot handle what is raised under a condition on a tensor in a function "
      << "that another operation calls, as 'map' and 'sorted' do, or in a cell with a 'bprop': the launch "
      << "ends there; call it in a loop, take it out of the 'try' or 'with', or choose the other value "
      << "with 'if'";
  if (raised)
    diagnostic.attachNote(*raised) << "raised here";
  return diagnostic;
}

/// The text of a format without values.
static std::string unescapeBraces(StringRef format) {
  std::string text;
  for (size_t i = 0; i < format.size(); ++i) {
    text += format[i];
    i += format[i] == '{' || format[i] == '}'; // the second of a pair
  }
  return text;
}

/// What the package has no code for, it raises as that.
static bool isOfPackage(Location location, StringRef format) {
  return isInPackage(location) && format.starts_with("NotImplementedError");
}

/// Hands an exception to the `try` around, which is in this function or another one: where the tensor `taken` holds, or
/// in any case. `exception` is the live object, or its class, where the program has it.
LogicalResult Interpreter::throwException(Location location, StringRef format, ArrayRef<Value> values,
                                          const AbstractValue &taken, const AbstractValue &exception) {
  if (!throwing)
    return refuseHandled(location);
  auto [name, text] = format.split(": ");
  Arguments question{{string(name), string(unescapeBraces(text))}, {}};
  if (!exception.isUndefined())
    question.positional.push_back(exception);
  Result object = isLive() ? live.ask(location, "exception", question) : Result(none());
  if (failed(object))
    return failure();
  auto tensors = llvm::map_to_vector(values, [](Value value) { return AbstractValue::getTensor(value); });
  pending.push_back(Thrown{location, *object, format.str(), AbstractValue::getTuple(tensors), taken});
  return success();
}

/// The exit of a statement that without what it has raised would end as `exit` says.
FailureOr<Exit> Interpreter::takePending(Exit exit) {
  if (pending.empty())
    return exit;
  exit.thrown = std::exchange(pending, {});
  if (exit.thrown.front().taken.isUndefined()) {
    exit.flow = Flow::Throw;
    return exit;
  }
  if (exit.flow == Flow::Return) {
    auto flags = llvm::map_to_vector(exit.thrown, [](const Thrown &thrown) { return thrown.taken; });
    Result any = isAny(exit.where, flags);
    Result none = failed(any) ? any : arithmetic.invert(exit.where, any->getTensor());
    if (failed(none))
      return failure();
    exit.getTaken(Flow::Return) = none->getTensor();
  }
  exit.mayGoOn = exit.flow == Flow::Next;
  exit.flow = Flow::Mixed;
  return exit;
}

/// Raises what `format` says, in which `{}` stands for a value.
LogicalResult Interpreter::runRaise(Location location, StringRef format, ArrayRef<Value> values,
                                    const AbstractValue &exception) {
  if (values.empty() && countConditions() == attempted.value_or(0))
    return (isOfPackage(location, format) ? refuse(location) : error(location)) << unescapeBraces(format);
  if (attempted)
    return throwException(location, format, values, {}, exception);
  Value one = writer.makeScalar(location, Number{Number::Int, 1}, builder.getI32Type());
  check::AssertOp::create(builder, location, one, format, /*at_once=*/true, values);
  raises = location;
  hasRaised = true;
  return success();
}

LogicalResult Interpreter::runAssert(net::PythonAssertOp op) {
  auto truth = getTruth(op.getLoc(), get(op.getCondition()));
  if (failed(truth))
    return failure();
  std::string text = "AssertionError: assertion failed";
  if (!op.getMessage().empty())
    text += ": " + op.getMessage().str();
  if (auto *condition = std::get_if<Value>(&*truth))
    return assertLater(op, *condition, text);
  return std::get<bool>(*truth) ? success() : runRaise(op.getLoc(), escapeBraces(text));
}

LogicalResult Interpreter::assertLater(net::PythonAssertOp op, Value condition, StringRef text) {
  auto element = condition.getDefiningOp<tensor::ExtractOp>();
  Result fails = arithmetic.invert(op.getLoc(), element.getTensor());
  element.erase();
  return failed(fails) ? failure() : raiseIf(op.getLoc(), *fails, text);
}

/// Raises where a tensor of one boolean holds. Needs no branch: the number that must be zero is the boolean.
LogicalResult Interpreter::raiseIf(Location location, const AbstractValue &fails, StringRef text) {
  if (attempted)
    return throwException(location, escapeBraces(text), {}, fails);
  return endLaunchIf(location, fails, escapeBraces(text), {});
}

/// Ends the launch where a tensor of one boolean holds.
LogicalResult Interpreter::endLaunchIf(Location location, const AbstractValue &fails, StringRef format,
                                       ValueRange values) {
  auto number = writer.cast(location, fails.getTensor(), builder.getI32Type());
  if (failed(number))
    return failure();
  check::AssertOp::create(builder, location, *number, format, /*at_once=*/true, values);
  raises = location;
  return success();
}

/// A call of a function that is written already may raise what that raises.
LogicalResult Interpreter::noteRaises(Location location, const Specialization &specialization) {
  if (!specialization.raises)
    return success();
  if (attempted)
    return refuseHandled(location, specialization.raises);
  raises = raises ? raises : specialization.raises;
  return success();
}

/// Adds a value to a message: its text, or `{}` for a tensor. Where the package refuses a tensor in any case, the
/// message says what tensor it is.
LogicalResult Interpreter::addRaised(Location location, const AbstractValue &value, bool quoted, std::string &format,
                                     SmallVectorImpl<Value> &values) {
  if (isTensorLike(value) && isInPackage(location) && countConditions() == attempted.value_or(0)) {
    format += escapeBraces(value.describe());
    return success();
  }
  if (isTensorLike(value)) {
    auto tensor = writer.toTensor(location, value);
    if (failed(tensor))
      return failure();
    if (isa<ComplexType>(getElementTypeOrSelf(*tensor)))
      return refuse(location)
             << "TypeError: the text of a complex tensor cannot be part of what a compiled function raises";
    values.push_back(*tensor);
    format += "{}";
    return success();
  }
  StringRef quote = quoted && (value.isText() || value.getAs<StringAttr>()) ? "'" : "";
  if (holdsTensor(value)) {
    Result text = value.isText() ? value : texts.make(location, quoted ? "repr" : "str", {{value}, {}});
    if (failed(text))
      return failure();
    format +=
        (quote + (text->isText() ? addFormat(*text, values) : escapeBraces(builtins.toText(*text))) + quote).str();
    return success();
  }
  format += (quote + escapeBraces(builtins.toText(value)) + quote).str();
  return success();
}

/// `raise(kind, *arguments)`: an exception of the program's whose class has no constructor of its own. Several
/// arguments are shown as Python shows them; the pieces of a text (`raise_text`) stand one behind the other.
Result Interpreter::callRaise(Location location, StringRef name, const Arguments &arguments) {
  ArrayRef<AbstractValue> given = ArrayRef(arguments.positional).drop_front();
  bool several = name != "raise_text" && given.size() > 1;
  std::string format = builtins.toText(arguments.positional.front()) + ": " + (several ? "(" : "");
  SmallVector<Value> values;
  for (auto [index, value] : llvm::enumerate(given)) {
    format += several && index > 0 ? ", " : "";
    if (failed(addRaised(location, value, several, format, values)))
      return failure();
  }
  Result made = AbstractValue();
  if (attempted && isLive() && name == "raise" &&
      llvm::all_of(given, [](const AbstractValue &value) { return isKnown(value); }))
    made = live.ask(location, "made_exception", arguments);
  if (failed(made))
    return failure();
  return yieldNone(runRaise(location, format + (several ? ")" : ""), values, *made));
}

/// `raise kind(text)` of a class of refusals: the class that programs know, the kind of refusal, and the pieces of the
/// text.
Result Interpreter::callRefuse(Location location, const Arguments &arguments) {
  auto kind = findDiagnosticKind(builtins.toText(arguments.positional[1])).value_or(DiagnosticKind::Refusal);
  auto diagnostic = refuse(location, kind) << builtins.toText(arguments.positional.front()) << ": ";
  for (const AbstractValue &piece : ArrayRef(arguments.positional).drop_front(2))
    diagnostic << (isTensorLike(piece) ? piece.describe() : builtins.toText(piece));
  return diagnostic;
}

/// `raise error`: Python raises it, or says what the error is.
Result Interpreter::callRaiseObject(Location location, const Arguments &arguments) {
  if (countConditions() == attempted.value_or(0))
    return live.ask(location, "raise", arguments);
  Result text = live.ask(location, "described", arguments);
  if (failed(text))
    return failure();
  return yieldNone(
      runRaise(location, escapeBraces(text->getAs<StringAttr>().getValue()), {}, arguments.positional.front()));
}

} // namespace plumb::specialize
