// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `raise` and `assert`, and the texts of what they raise.

#include "compiler/specialize/interpreter/RaiseStatements.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/PackageLocation.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::specialize {

LogicalResult RaiseStatements::runAssert(net::PythonAssertOp op) {
  auto truth = interpreter.conditions.getTruth(op.getLoc(), run.state.get(op.getCondition()));
  if (failed(truth))
    return failure();
  std::string text = "AssertionError: assertion failed";
  if (!op.getMessage().empty())
    text += ": " + op.getMessage().str();
  if (auto *condition = std::get_if<Value>(&*truth))
    return assertLater(op, *condition, text);
  return std::get<bool>(*truth) ? success() : raises.raise(op.getLoc(), escapeBraces(text));
}

LogicalResult RaiseStatements::assertLater(net::PythonAssertOp op, Value condition, StringRef text) {
  auto element = condition.getDefiningOp<tensor::ExtractOp>();
  Result fails = arithmetic.invert(op.getLoc(), element.getTensor());
  element.erase();
  return failed(fails) ? failure() : raises.raiseIf(op.getLoc(), *fails, text);
}

/// Adds a tensor to a message. Where the package refuses one in any case, the message says what tensor it is.
LogicalResult RaiseStatements::addTensor(Location location, const AbstractValue &value, std::string &format,
                                         SmallVectorImpl<Value> &values) {
  if (isInPackage(location) && raises.isStatic()) {
    format += escapeBraces(value.describe());
    return success();
  }
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

/// Adds a value to a message: its text, or `{}` for a tensor.
LogicalResult RaiseStatements::add(Location location, const AbstractValue &value, bool quoted, std::string &format,
                                   SmallVectorImpl<Value> &values) {
  if (isTensorLike(value))
    return addTensor(location, value, format, values);
  StringRef quote = quoted && (value.isText() || value.getAs<StringAttr>()) ? "'" : "";
  if (holdsTensor(value)) {
    Result text = value.isText() ? value : interpreter.texts.make(location, quoted ? "repr" : "str", {{value}, {}});
    if (failed(text))
      return failure();
    format +=
        (quote + (text->isText() ? addFormat(*text, values) : escapeBraces(interpreter.conversions.toText(*text))) +
         quote)
            .str();
    return success();
  }
  format += (quote + escapeBraces(interpreter.conversions.toText(value)) + quote).str();
  return success();
}

Result RaiseStatements::callRaise(Location location, StringRef name, const Arguments &arguments) {
  ArrayRef<AbstractValue> given = ArrayRef(arguments.positional).drop_front();
  bool hasSeveral = name != "raise_text" && given.size() > 1;
  std::string format = interpreter.conversions.toText(arguments.positional.front()) + ": " + (hasSeveral ? "(" : "");
  SmallVector<Value> values;
  for (auto [index, value] : llvm::enumerate(given)) {
    format += hasSeveral && index > 0 ? ", " : "";
    if (failed(add(location, value, hasSeveral, format, values)))
      return failure();
  }
  Result made = AbstractValue();
  if (run.attempted && isLive() && name == "raise" &&
      llvm::all_of(given, [](const AbstractValue &value) { return isKnown(value); }))
    made = live.ask(location, "made_exception", arguments);
  if (failed(made))
    return failure();
  return yieldNone(raises.raise(location, format + (hasSeveral ? ")" : ""), values, *made));
}

Result RaiseStatements::callRefuse(Location location, const Arguments &arguments) {
  auto kind =
      findDiagnosticKind(interpreter.conversions.toText(arguments.positional[1])).value_or(DiagnosticKind::Refusal);
  auto diagnostic = refuse(location, kind) << interpreter.conversions.toText(arguments.positional.front()) << ": ";
  for (const AbstractValue &piece : ArrayRef(arguments.positional).drop_front(2))
    diagnostic << (isTensorLike(piece) ? piece.describe() : interpreter.conversions.toText(piece));
  return diagnostic;
}

Result RaiseStatements::callRaiseObject(Location location, const Arguments &arguments) {
  if (raises.isStatic())
    return live.ask(location, "raise", arguments);
  Result text = live.ask(location, "described", arguments);
  if (failed(text))
    return failure();
  return yieldNone(
      raises.raise(location, escapeBraces(text->getAs<StringAttr>().getValue()), {}, arguments.positional.front()));
}

} // namespace plumb::specialize
