// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the Python signatures of the op records into the table of primitives. The grammar is
// small: parameters parted by commas, each `name`, `*name`, or `name: kind [= default]`.
// A malformed signature is a bug in a record, hence the assertions.

#include "dialects/net/ir/Primitives.h"

#include "dialects/net/ir/NetBase.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace plumb::net {
namespace {

ParamKind parseKind(StringRef text) {
  return llvm::StringSwitch<ParamKind>(text)
      .Case("ints", ParamKind::Ints)
      .Case("int", ParamKind::Int)
      .Case("float", ParamKind::Float)
      .Case("bool", ParamKind::Bool)
      .Case("str", ParamKind::Str)
      .Case("dtype", ParamKind::Dtype)
      .Default(ParamKind::Tensor);
}

int64_t parseInt(StringRef text) {
  int64_t value = 0;
  [[maybe_unused]] bool malformed = text.trim().getAsInteger(10, value);
  assert(!malformed && "signature: malformed int");
  return value;
}

SmallVector<int64_t> parseInts(StringRef text) {
  SmallVector<int64_t> values;
  text.consume_front("[");
  text.consume_back("]");
  for (StringRef rest = text; !rest.empty();) {
    auto [head, tail] = rest.split(',');
    values.push_back(parseInt(head));
    rest = tail;
  }
  return values;
}

Type parseDtype(Builder &b, StringRef text) {
  if (text == "f32")
    return b.getF32Type();
  if (text == "i32")
    return b.getI32Type();
  assert(text == "i1" && "signature: unknown dtype");
  return b.getI1Type();
}

Attribute parseDefault(Builder &b, ParamKind kind, StringRef text) {
  switch (kind) {
  case ParamKind::Ints: return b.getDenseI64ArrayAttr(parseInts(text));
  case ParamKind::Int: return b.getI64IntegerAttr(parseInt(text));
  case ParamKind::Float: {
    double value = 0;
    [[maybe_unused]] bool malformed = text.getAsDouble(value);
    assert(!malformed && "signature: malformed float");
    return b.getF64FloatAttr(value);
  }
  case ParamKind::Bool: return b.getBoolAttr(text == "True");
  case ParamKind::Str: return b.getStringAttr(text.trim('"'));
  case ParamKind::Dtype: return TypeAttr::get(parseDtype(b, text));
  case ParamKind::Tensor:
  case ParamKind::VariadicTensor: break;
  }
  return {};
}

/// Takes the first parameter off `text`; commas inside brackets belong to a default.
StringRef takeParam(StringRef &text) {
  int depth = 0;
  size_t end = 0;
  for (; end < text.size(); ++end) {
    depth += (text[end] == '[') - (text[end] == ']');
    if (depth == 0 && text[end] == ',')
      break;
  }
  StringRef param = text.take_front(end).trim();
  text = text.drop_front(std::min(end + 1, text.size()));
  return param;
}

PrimitiveParam parseParam(Builder &b, StringRef text) {
  if (text.consume_front("*"))
    return {text, ParamKind::VariadicTensor, {}};
  auto [name, annotation] = text.split(':');
  auto [kindText, defaultText] = annotation.split('=');
  ParamKind kind = parseKind(kindText.trim());
  Attribute value;
  if (!defaultText.trim().empty())
    value = parseDefault(b, kind, defaultText.trim());
  return {name.trim(), kind, value};
}

/// Adds the defaults of parameters that `attributes` lacks; names the first that has none.
LogicalResult completeAttributes(Location loc, const PrimitiveInfo &info, NamedAttrList &attributes) {
  for (const PrimitiveParam &param : info.params) {
    if (param.kind == ParamKind::Tensor || param.kind == ParamKind::VariadicTensor || attributes.get(param.name))
      continue;
    if (!param.defaultValue)
      return emitError(loc) << info.name << " needs an argument '" << param.name << "'";
    attributes.set(param.name, param.defaultValue);
  }
  return success();
}

} // namespace

void PrimitiveTable::add(MLIRContext *context, StringRef opName, StringRef signature, PrimitiveInfo::InferFn infer) {
  Builder b(context);
  PrimitiveInfo info{opName.split('.').second, opName, {}, infer};
  while (!signature.empty())
    info.params.push_back(parseParam(b, takeParam(signature)));
  primitives[info.name] = std::move(info);
}

const PrimitiveInfo *PrimitiveTable::lookup(StringRef name) const {
  auto found = primitives.find(name);
  return found == primitives.end() ? nullptr : &found->second;
}

StringRef PrimitiveTable::findSimilar(StringRef name) const {
  StringRef best;
  unsigned bestDistance = name.size() / 3 + 1;
  for (const auto &entry : primitives) {
    unsigned distance = name.edit_distance(entry.getKey(), true, bestDistance);
    // The map's order is arbitrary: ties go to the first name of the alphabet.
    if (distance < bestDistance || (distance == bestDistance && entry.getKey() < best)) {
      best = entry.getKey();
      bestDistance = distance;
    }
  }
  return best;
}

const PrimitiveInfo *lookupPrimitive(MLIRContext *context, StringRef name) {
  return context->getOrLoadDialect<NetDialect>()->getPrimitives().lookup(name);
}

FailureOr<Operation *> buildPrimitive(OpBuilder &builder, Location loc, const PrimitiveInfo &info,
                                      ArrayRef<Value> operands, ArrayRef<NamedAttribute> attributes) {
  NamedAttrList complete(attributes);
  if (failed(completeAttributes(loc, info, complete)))
    return failure();
  SmallVector<Type> types;
  if (failed(info.inferResultTypes(builder.getContext(), loc, operands, complete.getDictionary(builder.getContext()),
                                   types)))
    return failure();
  for (Type type : types)
    if (std::string size = describeImpossibleSize(type); !size.empty())
      return emitError(loc) << "the result of '" << info.name << "' " << size;
  OperationState state(loc, info.opName);
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(complete);
  Operation *op = builder.create(state);
  if (failed(verify(op))) {
    op->erase();
    return failure();
  }
  return op;
}

} // namespace plumb::net
