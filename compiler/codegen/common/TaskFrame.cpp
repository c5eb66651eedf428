// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces buffers back through constant offsets and structures.

#include "compiler/codegen/common/TaskFrame.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

constexpr int64_t kWordBytes = 8;

Value plumb::addBytes(ImplicitLocOpBuilder &builder, Value base, int64_t bytes) {
  // A constant index of a GEP has 29 bits, fewer than the offsets of an arena.
  Value distance = LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(bytes));
  return LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{distance});
}

/// The value inserted at `position` of the structure `value`, if it is known; or null.
static Value findInserted(Value value, ArrayRef<int64_t> position) {
  while (auto insert = value.getDefiningOp<LLVM::InsertValueOp>()) {
    ArrayRef<int64_t> other = insert.getPosition();
    size_t common = std::min(position.size(), other.size());
    if (other.take_front(common) == position.take_front(common))
      return other == position ? insert.getValue() : Value();
    value = insert.getContainer();
  }
  return Value();
}

/// The offset of `op` in bytes, if it is constant.
static std::optional<int64_t> findDistance(LLVM::GEPOp op) {
  if (op.getIndices().size() != 1 || !op.getElemType().isIntOrFloat())
    return std::nullopt;
  // A boolean takes a byte.
  int64_t bytes = llvm::divideCeil(op.getElemType().getIntOrFloatBitWidth(), 8);
  auto index = *op.getIndices().begin();
  if (auto known = dyn_cast<IntegerAttr>(index))
    return known.getInt() * bytes;
  llvm::APInt known;
  if (!matchPattern(cast<Value>(index), m_ConstantInt(&known)))
    return std::nullopt;
  return known.getSExtValue() * bytes;
}

/// The base of `value`, as far back as it can be traced, and the offset from it.
TaskFrame::Address TaskFrame::find(Value value) {
  Address address{value};
  while (Operation *definition = address.base.getDefiningOp()) {
    if (auto extract = dyn_cast<LLVM::ExtractValueOp>(definition)) {
      Value inserted = findInserted(extract.getContainer(), extract.getPosition());
      if (!inserted)
        break;
      address.base = inserted;
      continue;
    }
    auto step = dyn_cast<LLVM::GEPOp>(definition);
    std::optional<int64_t> distance = step ? findDistance(step) : std::nullopt;
    if (!distance)
      break;
    address = {step.getBase(), address.bytes + *distance};
  }
  return address;
}

TaskFrame::TaskFrame(ArrayRef<Operation *> kernels) {
  for (Operation *kernel : kernels)
    for (Value value : kernel->getOperands()) {
      auto [known, isNew] = addresses.try_emplace(value);
      if (isNew)
        known->second = find(value);
      words.insert({known->second.base, words.size()});
    }
}

void TaskFrame::store(ImplicitLocOpBuilder &builder, Value frame) const {
  for (auto [value, word] : words)
    LLVM::StoreOp::create(builder, value, addBytes(builder, frame, kWordBytes * word));
}

void TaskFrame::enterTask(Value taskFrame) {
  frame = taskFrame;
  loaded.clear();
}

Value TaskFrame::load(ImplicitLocOpBuilder &builder, Value value) {
  Address address = addresses.lookup(value);
  Value &base = loaded[address.base];
  if (!base) {
    Value word = addBytes(builder, frame, kWordBytes * words.lookup(address.base));
    base = LLVM::LoadOp::create(builder, address.base.getType(), word);
  }
  return address.bytes == 0 ? base : addBytes(builder, base, address.bytes);
}
