// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Later stages count bytes in 64 bits and never ask again, so what overflows them is refused where it is written.

#include "compiler/specialize/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Processors address no more.
static constexpr int64_t kMaxTensorBytes = int64_t(1) << 47;

std::string plumb::specialize::findImpossibleSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
    return "";
  int64_t bytes = llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
  bool fits = true;
  for (int64_t extent : tensor.getShape())
    fits = fits && (extent == 0 || bytes <= kMaxTensorBytes / extent) && (bytes *= extent, true);
  if (fits || llvm::is_contained(tensor.getShape(), 0))
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "of shape (";
  llvm::interleaveComma(tensor.getShape(), stream);
  stream << (tensor.getRank() == 1 ? ",)" : ")")
         << " takes more than the 128 TiB that a processor can address";
  return text;
}
