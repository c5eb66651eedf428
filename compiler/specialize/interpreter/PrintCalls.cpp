// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of print(), which the program executes while it trains: a format, in which `{}` stands for each tensor. Each
// argument has its own line, as in MindSpore's compiled functions; with `sep` they stand on one line as Python prints
// them.

#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/interpreter/Primitives.h"

#include "dialects/net/ir/NetStateOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace plumb::specialize {

/// A constant on a line of its own, as the device prints its numbers: 2.0 as 2, True as 1.
static std::string getPrintedLine(const AbstractValue &value, std::string text) {
  std::string line;
  llvm::raw_string_ostream stream(line);
  if (auto truth = value.getAs<BoolAttr>())
    return truth.getValue() ? "1" : "0";
  if (auto number = value.getAs<FloatAttr>())
    stream << llvm::format("%g", number.getValueAsDouble());
  else
    stream << text;
  return line;
}

/// A tuple or list of ints, or of floats, which is printed on one line; empty text for others.
static std::string getPrintedNumbers(const AbstractValue &value) {
  auto isAll = [&](auto isWanted) { return llvm::all_of(value.getElements(), isWanted); };
  bool areInts = isAll([](const AbstractValue &element) {
    auto number = element.getAs<IntegerAttr>();
    return number && !element.getAs<BoolAttr>();
  });
  bool areFloats = isAll([](const AbstractValue &element) { return !!element.getAs<FloatAttr>(); });
  if (value.getElements().empty() || !(areInts || areFloats))
    return "";
  std::string line;
  llvm::raw_string_ostream stream(line);
  stream << "(";
  llvm::interleave(
      value.getElements(), stream,
      [&](const AbstractValue &element) {
        if (areInts)
          stream << element.getAs<IntegerAttr>().getValue();
        else
          stream << llvm::format("%15.8e", element.getAs<FloatAttr>().getValueAsDouble());
      },
      ", ");
  stream << ")";
  return line;
}

namespace {

/// The format of one print, and the tensors in it.
class PrintFormat : public Collaborator {
public:
  PrintFormat(Workspace &workspace, Interpreter &interpreter, Location location)
      : Collaborator(workspace, interpreter), location(location) {}

  /// A value on lines of its own: containers have one per element, but for numbers.
  void addLines(const AbstractValue &value);
  /// The text of a value as Python prints it.
  std::string addInline(const AbstractValue &value, bool isNested = false);

  SmallVector<std::string> parts;
  SmallVector<Value> tensors;
  bool hasFailed = false;

private:
  std::string addTensor(const AbstractValue &value);
  void addElements(const AbstractValue &value);

  Location location;
};

} // namespace

std::string PrintFormat::addTensor(const AbstractValue &value) {
  auto tensor = writer.toTensor(location, value);
  hasFailed |= failed(tensor);
  tensors.push_back(succeeded(tensor) ? *tensor : Value());
  return "{}";
}

void PrintFormat::addElements(const AbstractValue &value) {
  if (value.isSequence() || value.isDictionary()) {
    for (const AbstractValue &element : value.getElements())
      addElements(element);
  } else if (value.isText()) {
    parts.push_back(addFormat(value, tensors));
  } else if (isTensorLike(value)) {
    parts.push_back(addTensor(value));
  } else {
    parts.push_back(escapeBraces(getPrintedLine(value, interpreter.conversions.toText(value))));
  }
}

void PrintFormat::addLines(const AbstractValue &value) {
  std::string numbers = value.isSequence() ? getPrintedNumbers(value) : "";
  if (numbers.empty())
    addElements(value);
  else
    parts.push_back(numbers);
}

std::string PrintFormat::addInline(const AbstractValue &value, bool isNested) {
  if (value.isSequence()) {
    std::string text = value.isList() ? "[" : "(";
    for (auto [index, element] : llvm::enumerate(value.getElements()))
      text += (index ? ", " : "") + addInline(element, /*isNested=*/true);
    bool isSingle = !value.isList() && value.getElements().size() == 1;
    return text + (isSingle ? "," : "") + (value.isList() ? "]" : ")");
  }
  if (isTensorLike(value) && !value.isText())
    return addTensor(value);
  std::string text = value.isText() ? addFormat(value, tensors) : escapeBraces(interpreter.conversions.toText(value));
  bool isQuoted = isNested && (value.isText() || value.getAs<StringAttr>());
  return isQuoted ? "'" + text + "'" : text;
}

Result Primitives::callPrint(Location location, const Arguments &arguments) {
  const AbstractValue *sep = arguments.find(~0u, "sep");
  for (auto &[name, value] : arguments.keywords)
    if ((name != "sep" || !value.getAs<StringAttr>()) && name != "flush")
      return error(location) << "print() takes no '" << name.getValue() << "' in compiled functions; each argument is "
                             << "printed on a line of its own, or with a string `sep` on one line";
  PrintFormat format(workspace, interpreter, location);
  for (const AbstractValue &value : arguments.positional) {
    if (sep)
      format.parts.push_back(format.addInline(value));
    else
      format.addLines(value);
  }
  if (format.hasFailed)
    return failure();
  if (arguments.positional.empty())
    return none();
  std::string between = sep ? escapeBraces(sep->getAs<StringAttr>().getValue()) : "\n";
  net::PrintOp::create(builder, location, llvm::join(format.parts, between), format.tensors);
  return none();
}

} // namespace plumb::specialize
