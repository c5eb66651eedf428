// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that show tensors which only the running program knows: `str(x)`, f-strings, `%`, `format`, `join`. Such a text
// is a value of pieces, strings and tensors:
//
//   print(f"loss {loss}")   =>   net.print "loss {}"(%loss)
//
// It can be put together with others, printed, raised and returned; an operation that needs its letters (its length, a
// comparison, a method) is refused. How texts are put together the live process says: it formats a mark in the place
// of each tensor, twice, by marks of two lengths. Where that makes another difference than the marks, a format depends
// on the width of a tensor's text, and is refused (compiler/python/plumb/_parse/texts.py).

#include "compiler/specialize/interpreter/Texts.h"

#include "compiler/specialize/interpreter/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

bool Texts::mayShowTensors(const AbstractValue &value) {
  bool isOfObjects = (value.isSequence() || value.isContainer()) &&
                     llvm::any_of(value.getElements(), [&](const AbstractValue &part) { return mayShowTensors(part); });
  return (isLive() && (isForeign(value) || isOfObjects)) || holdsTensor(value);
}

bool Texts::shows(StringRef name, const Arguments &arguments) {
  bool isFunction = llvm::is_contained({"str", "repr", "ascii", "format"}, name);
  bool isMethod = llvm::is_contained({"str.format", "str.format_map", "str.join"}, name);
  if (arguments.positional.empty() || !(isFunction || isMethod))
    return false;
  const AbstractValue &first = arguments.positional.front();
  bool isString = first.isText() || first.getAs<StringAttr>();
  auto holds = [&](const AbstractValue &value) { return mayShowTensors(value); };
  return (isFunction && !isForeign(first) && holds(first)) ||
         (isMethod && isString &&
          (llvm::any_of(arguments.positional, holds) ||
           llvm::any_of(llvm::make_second_range(arguments.keywords), holds)));
}

InFlightDiagnostic refuseLetters(Location location) {
  return refuse(location, DiagnosticKind::Value)
         << "TypeError: the text of a tensor that is computed is only known when the program runs: it can be printed, "
         << "raised, put together with other texts and returned; compare the tensor itself";
}

Result Texts::make(Location location, StringRef operation, const Arguments &arguments) {
  if (!isLive()) {
    bool isTensor = isTensorLike(arguments.positional[0]) && arguments.positional.size() == 1;
    if (!isTensor || (operation != "str" && operation != "repr"))
      return refuse(location) << "TypeError: a text that shows tensors in another way than 'str' needs the Python "
                              << "process of the program";
  }
  Arguments question{{string(operation)}, arguments.keywords};
  std::function<AbstractValue(const AbstractValue &)> known = [&](const AbstractValue &value) {
    return value.getKind() == AbstractValue::Kind::Sequence
               ? value.withElements(llvm::map_to_vector(value.getElements(), known))
               : knownTensors.get(value);
  };
  llvm::append_range(question.positional, llvm::map_range(arguments.positional, known));
  Result text = isLive() ? live.ask(location, "text", question)
                         : Result(AbstractValue::getText(builder.getArrayAttr(builder.getBoolAttr(operation == "repr")),
                                                         arguments.positional));
  if (failed(text) || !text->isText())
    return text;
  SmallVector<AbstractValue> tensors; // Parameters are shown as they are now.
  for (const AbstractValue &shown : text->getElements()) {
    auto tensor = writer.toTensor(location, shown);
    if (failed(tensor))
      return failure();
    if (isa<ComplexType>(getElementTypeOrSelf(*tensor)))
      return refuse(location) << "TypeError: a compiled function has no text for a complex tensor that is computed; "
                              << "show its real and imaginary parts";
    tensors.push_back(AbstractValue::getTensor(*tensor));
  }
  return text->withElements(tensors);
}

Result Texts::convert(Location location, const AbstractValue &value) {
  return holdsTensor(value) ? make(location, "str", {{value}, {}})
                            : Result(string(interpreter.conversions.toText(value)));
}

AbstractValue Texts::join(const AbstractValue &left, const AbstractValue &right) {
  SmallVector<Attribute> pieces;
  SmallVector<AbstractValue> tensors;
  for (const AbstractValue *part : {&left, &right}) {
    llvm::append_range(pieces, part->isText() ? llvm::cast<ArrayAttr>(part->getConstant()).getValue()
                                              : ArrayRef<Attribute>(part->getConstant()));
    llvm::append_range(tensors, part->getElements());
  }
  return AbstractValue::getText(builder.getArrayAttr(pieces), tensors);
}

std::string addFormat(const AbstractValue &text, SmallVectorImpl<Value> &values) {
  std::string format;
  for (Attribute piece : llvm::cast<ArrayAttr>(text.getConstant()))
    format += llvm::isa<StringAttr>(piece) ? escapeBraces(llvm::cast<StringAttr>(piece).getValue()) : "{}";
  for (const AbstractValue &tensor : text.getElements())
    values.push_back(tensor.getTensor());
  return format;
}

} // namespace plumb::specialize
