// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/tensors/WeakTypes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace plumb::specialize {

static constexpr llvm::StringLiteral kWeak = "net.weak";

/// The op that says of `value` whether it is weak, and which of its values that is.
static std::pair<Operation *, int64_t> locate(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return {result.getOwner(), result.getResultNumber()};
  auto argument = cast<BlockArgument>(value);
  return {argument.getOwner()->getParentOp(), argument.getArgNumber()};
}

bool isWeak(Value value) {
  auto [op, index] = locate(value);
  auto marks = op ? op->getAttrOfType<DenseI64ArrayAttr>(kWeak) : DenseI64ArrayAttr();
  return marks && llvm::is_contained(marks.asArrayRef(), index);
}

void markWeak(Value value) {
  Type element = getElementTypeOrSelf(value);
  auto [op, index] = locate(value);
  if (isWeak(value) || !(element.isF32() || element.isSignlessInteger(64)))
    return;
  SmallVector<int64_t> marks = {index};
  if (auto old = op->getAttrOfType<DenseI64ArrayAttr>(kWeak))
    llvm::append_range(marks, old.asArrayRef());
  op->setAttr(kWeak, DenseI64ArrayAttr::get(op->getContext(), marks));
}

void passWeakMarks(ValueRange from, ValueRange to) {
  for (auto [one, other] : llvm::zip(from, to))
    if (isWeak(one))
      markWeak(other);
}

void removeWeakMarks(Operation *root) {
  root->walk([](Operation *op) { op->removeAttr(kWeak); });
}

} // namespace plumb::specialize
