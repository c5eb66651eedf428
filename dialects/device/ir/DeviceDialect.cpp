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
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

MemRefType plumb::device::getBufferType(ShapedType type) {
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return MemRefType::get(type.getShape(), element);
}

LogicalResult InitAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef kind,
                               ArrayAttr parameters, int64_t stream) {
  if (kind.empty())
    return emitError() << "an initialiser needs the name of its rule";
  for (Attribute parameter : parameters)
    if (auto number = dyn_cast<FloatAttr>(parameter); !number || !number.getType().isF64())
      return emitError() << "a parameter of rule '" << kind << "' must be an f64 number, got " << parameter;
  if (stream < 0)
    return emitError() << "the random stream of rule '" << kind << "' must not be negative, got " << stream;
  return success();
}
