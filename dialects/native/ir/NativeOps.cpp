// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/native/ir/Native.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace plumb::native;

#include "dialects/native/ir/NativeDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/native/ir/NativeAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/native/ir/NativeOps.cpp.inc"

namespace {

/// A source stands once, before the module, and not in each operation that calls a function of it.
struct NativeAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const final {
    if (!isa<SourceAttr>(attribute))
      return AliasResult::NoAlias;
    os << "source";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void NativeDialect::initialize() {
  addInterfaces<NativeAsmInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/native/ir/NativeAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/native/ir/NativeOps.cpp.inc"
      >();
}

LogicalResult SourceAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef file, StringRef language,
                                 StringRef text) {
  if (language != "c" && language != "c++")
    return emitError() << "the language of '" << file << "' must be c or c++, got " << language;
  return success();
}

static bool isNameOfC(StringRef name) {
  auto isLetter = [](char letter) { return llvm::isAlnum(letter) || letter == '_'; };
  return !name.empty() && !llvm::isDigit(name.front()) && llvm::all_of(name, isLetter);
}

LogicalResult CallOp::verify() {
  if (!isNameOfC(getFunction())) // call_c1
    return emitOpError() << "calls '" << getFunction() << "', which is no name of C";
  auto last = getOutputs().size() < 2 ? ShapedType() : cast<ShapedType>(getOutputs().back().getType());
  if (!last || last.getRank() != 0 || !last.getElementType().isInteger(32)) // call_c2
    return emitOpError() << "needs an output, and one i32 behind it for what the function returns";
  if (getDtypes().size() != getInputs().size() + getOutputs().size() - 1) // call_c3
    return emitOpError() << "has " << getDtypes().size() << " dtypes for " << getInputs().size() << " inputs and "
                         << getOutputs().size() - 1 << " outputs";
  return success();
}

std::string CallOp::getDtype(Type type) {
  Type element = getElementTypeOrSelf(type);
  std::string width = std::to_string(element.getIntOrFloatBitWidth());
  if (element.isInteger(1))
    return "bool";
  if (element.isBF16())
    return "bfloat16";
  if (isa<FloatType>(element))
    return "float" + width;
  return (element.isUnsignedInteger() ? "uint" : "int") + width;
}

void CallOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &output : getOutputsMutable())
    if (isa<MemRefType>(output.get().getType()))
      effects.emplace_back(MemoryEffects::Write::get(), &output);
}
