// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the device dialect, and its attributes.

#include "dialects/device/ir/Device.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb::device;

#include "dialects/device/ir/DeviceDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/device/ir/DeviceAttrs.cpp.inc"

void DeviceDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/device/ir/DeviceAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/device/ir/DeviceOps.cpp.inc"
      >();
}

int64_t plumb::device::getByteSize(ShapedType type) {
  Type element = type.getElementType();
  return type.getNumElements() * (element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
}

MemRefType plumb::device::getBufferType(ShapedType type) {
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return MemRefType::get(type.getShape(), element);
}

LogicalResult PrintAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayAttr texts, ArrayAttr types,
                                DenseI64ArrayAttr offsets) {
  if (texts.size() != types.size() + 1 || static_cast<int64_t>(types.size()) != offsets.size())
    return emitError() << "a print has one text more than values, and an offset for each, got " << texts.size()
                       << " texts, " << types.size() << " types and " << offsets.size() << " offsets";
  auto isText = [](Attribute text) { return isa<StringAttr>(text); };
  auto isType = [](Attribute type) { return isa<TypeAttr>(type) && isTensorType(cast<TypeAttr>(type).getValue()); };
  if (llvm::all_of(texts, isText) && llvm::all_of(types, isType))
    return success();
  return emitError() << "a print has strings around tensors, got " << texts << " and " << types;
}

LogicalResult InitAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef kind, ArrayAttr parameters,
                               int64_t stream) {
  if (kind.empty())
    return emitError() << "an initialiser needs the name of its rule";
  for (Attribute parameter : parameters)
    if (auto number = dyn_cast<FloatAttr>(parameter); !number || !number.getType().isF64())
      return emitError() << "a parameter of rule '" << kind << "' must be an f64 number, got " << parameter;
  if (stream < 0)
    return emitError() << "the random stream of rule '" << kind << "' must not be negative, got " << stream;
  return success();
}
