// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages count elements and bytes in 64 bits and never ask again, so what overflows them is no type of any dialect.

#include "dialects/types/ir/Types.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

bool plumb::isElementType(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  static constexpr unsigned widths[] = {8, 16, 32, 64};
  return integer.isSignlessInteger(1) || llvm::is_contained(widths, integer.getWidth());
}

/// The bytes of one element; i1 takes a byte, and so does an index eight.
static int64_t getElementBytes(Type type) {
  if (auto pair = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(pair.getElementType());
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 8;
}

/// Whether the extents are no less than zero, and make at most kMaxTensorBytes bytes.
static bool fitsMemory(ShapedType type) {
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t extent : type.getShape()) {
    int64_t count = std::max<int64_t>(extent, 1);
    if (extent < 0 || bytes > plumb::kMaxTensorBytes / count)
      return false;
    bytes *= count;
  }
  return true;
}

bool plumb::isAddressable(ShapedType type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return (!tensor || !tensor.getEncoding()) && fitsMemory(type);
}

bool plumb::isTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && isElementType(tensor.getElementType()) && isAddressable(tensor);
}

std::string plumb::describeImpossibleSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || fitsMemory(tensor))
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Extents saturate where they are inferred.
  auto show = [&](int64_t extent) {
    extent == std::numeric_limits<int64_t>::max() ? stream << "2^63 or more" : stream << extent;
  };
  stream << "of shape (";
  llvm::interleaveComma(tensor.getShape(), stream, show);
  stream << (tensor.getRank() == 1 ? ",)" : ")") << " takes more than the 128 TiB that a processor can address";
  return text;
}
