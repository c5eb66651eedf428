// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts of what a program raises.

#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/PackageLocation.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

LogicalResult Interpreter::runAssert(net::PythonAssertOp op) {
  auto truth = getTruth(op.getLoc(), run.state.get(op.getCondition()));
  if (failed(truth))
    return failure();
  std::string text = "AssertionError: assertion failed";
  if (!op.getMessage().empty())
    text += ": " + op.getMessage().str();
  if (auto *condition = std::get_if<Value>(&*truth))
    return assertLater(op, *condition, text);
  return std::get<bool>(*truth) ? success() : raises.raise(op.getLoc(), escapeBraces(text));
}

LogicalResult Interpreter::assertLater(net::PythonAssertOp op, Value condition, StringRef text) {
  auto element = condition.getDefiningOp<tensor::ExtractOp>();
  Result fails = arithmetic.invert(op.getLoc(), element.getTensor());
  element.erase();
  return failed(fails) ? failure() : raises.raiseIf(op.getLoc(), *fails, text);
}

/// Adds a value to a message: its text, or `{}` for a tensor. Where the package refuses a tensor in any case, the
/// message says what tensor it is.
LogicalResult Interpreter::addRaised(Location location, const AbstractValue &value, bool quoted, std::string &format,
                                     SmallVectorImpl<Value> &values) {
  if (isTensorLike(value) && isInPackage(location) && run.countConditions() == run.attempted.value_or(0)) {
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
  if (run.attempted && isLive() && name == "raise" &&
      llvm::all_of(given, [](const AbstractValue &value) { return isKnown(value); }))
    made = live.ask(location, "made_exception", arguments);
  if (failed(made))
    return failure();
  return yieldNone(raises.raise(location, format + (several ? ")" : ""), values, *made));
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
  if (run.countConditions() == run.attempted.value_or(0))
    return live.ask(location, "raise", arguments);
  Result text = live.ask(location, "described", arguments);
  if (failed(text))
    return failure();
  return yieldNone(
      raises.raise(location, escapeBraces(text->getAs<StringAttr>().getValue()), {}, arguments.positional.front()));
}

} // namespace plumb::specialize
