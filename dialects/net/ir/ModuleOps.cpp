// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module-level ops: syntax of parameter lists and input types, and verifiers.

#include "dialects/net/ir/NetModuleOps.h"

#include "dialects/net/ir/NetMathOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

/// Parses one parameter: `name` or `name = default`.
static ParseResult parseParameter(OpAsmParser &parser, SmallVectorImpl<Attribute> &params, NamedAttrList &defaults) {
  std::string name;
  if (parser.parseKeywordOrString(&name))
    return failure();
  params.push_back(parser.getBuilder().getStringAttr(name));
  if (failed(parser.parseOptionalEqual()))
    return success();
  Attribute value;
  if (parser.parseAttribute(value))
    return failure();
  defaults.set(name, value);
  return success();
}

static ParseResult parsePythonParameters(OpAsmParser &parser, ArrayAttr &params, DictionaryAttr &defaults) {
  SmallVector<Attribute> names;
  NamedAttrList values;
  auto parseOne = [&] { return parseParameter(parser, names, values); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  params = parser.getBuilder().getArrayAttr(names);
  defaults = values.getDictionary(parser.getContext());
  return success();
}

static void printPythonParameters(OpAsmPrinter &printer, Operation *, ArrayAttr params, DictionaryAttr defaults) {
  auto printOne = [&](Attribute attribute) {
    auto name = llvm::cast<StringAttr>(attribute);
    printer.printKeywordOrString(name.getValue());
    if (Attribute value = defaults.get(name))
      printer << " = " << value;
  };
  printer << "(";
  llvm::interleaveComma(params, printer, printOne);
  printer << ")";
}

static ParseResult parseTypeList(OpAsmParser &parser, ArrayAttr &types) {
  SmallVector<Type> list;
  auto parseOne = [&] { return parser.parseType(list.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  types = parser.getBuilder().getTypeArrayAttr(list);
  return success();
}

static void printTypeList(OpAsmPrinter &printer, Operation *, ArrayAttr types) {
  printer << "(";
  llvm::interleaveComma(types.getAsValueRange<TypeAttr>(), printer);
  printer << ")";
}

#define GET_OP_CLASSES
#include "dialects/net/ir/NetModuleOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerModuleOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetModuleOps.cpp.inc"
      >();
}

LogicalResult ParameterOp::verify() {
  // parameter_c1
  auto elements = llvm::dyn_cast<ElementsAttr>(getInit());
  if (elements && elements.getType() != getType())
    return emitOpError() << "is of type " << getType() << ", but its initial value of type " << elements.getType();
  if (!elements && !llvm::isa<InitAttr>(getInit()))
    return emitOpError() << "needs #net.init or dense elements as initial value";
  return success();
}

SmallVector<StringRef> PythonFuncOp::getParamNames() {
  return llvm::to_vector(getParams().getAsValueRange<StringAttr>());
}

LogicalResult PythonFuncOp::verify() {
  SmallVector<StringRef> names = getParamNames();
  llvm::StringSet<> seen;
  int64_t keywordOnly = getKeywordOnly().value_or(0);
  if (keywordOnly < 0 || keywordOnly > static_cast<int64_t>(names.size()))
    return emitOpError() << "has " << names.size() << " parameters, but " << keywordOnly << " keyword-only ones";
  bool defaultSeen = false;
  for (auto [index, name] : llvm::enumerate(names)) {
    // python_func_c2
    if (!seen.insert(name).second)
      return emitOpError() << "names the parameter '" << name << "' twice";
    // python_func_c1
    bool hasDefault = static_cast<bool>(getDefault(name));
    if (defaultSeen && !hasDefault && index + keywordOnly < names.size())
      return emitOpError() << "has the parameter '" << name << "' without default after one with default";
    defaultSeen |= hasDefault;
  }
  return success();
}

SmallVector<Type> EntryOp::getInputs() { return llvm::to_vector(getInputTypes().getAsValueRange<TypeAttr>()); }

LogicalResult EntryOp::verify() {
  // entry_c1
  for (Type type : getInputs()) {
    if (std::string size = describeImpossibleSize(type); !size.empty())
      return emitOpError() << "input " << size;
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    bool isNumbers =
        tensor && tensor.hasStaticShape() && isNumberType(tensor.getElementType()) && isAddressable(tensor);
    if (!isNumbers)
      return emitOpError() << "has an input of type " << type << ", which is no tensor of numbers with a static shape";
  }
  // entry_c2
  if (getColumnsAttr() && getColumnsAttr().size() != getInputTypes().size())
    return emitOpError() << "names " << getColumnsAttr().size() << " columns for " << getInputTypes().size()
                         << " inputs";
  // entry_c3
  if (getDepth().value_or(1) < 1 || getEpochs().value_or(1) < 1)
    return emitOpError() << "needs a depth and a number of epochs of at least 1";
  if (int64_t size = getSinkSize().value_or(-1); size != -1 && size < 1)
    return emitOpError() << "has the sink size " << size << "; it is positive, or -1 for the whole data set";
  return success();
}

} // namespace plumb::net
