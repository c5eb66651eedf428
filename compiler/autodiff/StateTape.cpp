// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/StateTape.h"

#include "compiler/auto_monad/Tokens.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// The memory that one tape may take, and the slots that it has at least and at most.
static constexpr int64_t kMaxBytes = int64_t(1) << 27, kMinSlots = 16, kMaxSlots = 1024;

/// The tensor that holds a part of the state on the tape; numbers of steps are held as i64.
static RankedTensorType getRowType(Type part) {
  if (auto tensor = dyn_cast<RankedTensorType>(part))
    return tensor;
  return RankedTensorType::get({}, isa<IndexType>(part) ? IntegerType::get(part.getContext(), 64) : part);
}

static int64_t countBytes(TypeRange state) {
  int64_t bytes = 0;
  for (Type part : state) {
    if (isTokenType(part))
      continue;
    RankedTensorType row = getRowType(part);
    bytes += row.getNumElements() * std::max<int64_t>(1, row.getElementTypeBitWidth() / 8);
  }
  return std::max<int64_t>(bytes, 1);
}

StateTape::StateTape(Location loc, TypeRange state, int64_t bound) : loc(loc), state(state) {
  int64_t fitting = kMaxBytes / countBytes(state);
  isBounded = bound > 0 && bound <= std::max(fitting, kMinSlots);
  // A power of two, so that the slots that a doubled stride frees are half of them.
  slots = isBounded ? bound : int64_t(llvm::bit_floor(uint64_t(std::clamp(fitting, kMinSlots, kMaxSlots))));
}

Value StateTape::makeIndex(OpBuilder &builder, int64_t number) const {
  return arith::ConstantIndexOp::create(builder, loc, number);
}

/// One row more than there are slots takes the states that are not kept.
SmallVector<Value> StateTape::begin(OpBuilder &builder) const {
  SmallVector<Value> carried;
  for (Type part : state) {
    if (isTokenType(part))
      continue;
    RankedTensorType row = getRowType(part);
    SmallVector<int64_t> shape(row.getShape());
    shape.insert(shape.begin(), isBounded ? slots : slots + 1);
    carried.push_back(tensor::EmptyOp::create(builder, loc, shape, row.getElementType()));
  }
  if (!isBounded)
    carried.push_back(makeIndex(builder, 1));
  return carried;
}

/// The slot of a state that is kept. From the stride down: a state behind the slots of a smaller stride has the slot of
/// the odd multiple of that stride which it replaced.
Value StateTape::findSlot(OpBuilder &builder, Value number, Value stride) const {
  if (isBounded)
    return number;
  Value one = makeIndex(builder, 1), half = arith::ShRUIOp::create(builder, loc, stride, one);
  auto before = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value goesOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, arguments[1], one);
    scf::ConditionOp::create(b, loc, goesOn, arguments);
  };
  auto after = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value full = arith::MulIOp::create(b, loc, arguments[1], makeIndex(b, slots));
    Value behind = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, arguments[0], full);
    Value step = arith::MulIOp::create(b, loc, arguments[1], makeIndex(b, slots - 1));
    Value replaced = arith::SubIOp::create(b, loc, arguments[0], step);
    Value next = arith::SelectOp::create(b, loc, behind, replaced, arguments[0]);
    scf::YieldOp::create(b, loc, ValueRange{next, arith::ShRUIOp::create(b, loc, arguments[1], one)});
  };
  return scf::WhileOp::create(builder, loc, TypeRange{number.getType(), number.getType()}, ValueRange{number, half},
                              before, after)
      .getResult(0);
}

/// A part of the state as a tensor.
static Value asRow(OpBuilder &builder, Location loc, Value part) {
  if (isa<RankedTensorType>(part.getType()))
    return part;
  RankedTensorType type = getRowType(part.getType());
  if (isa<IndexType>(part.getType()))
    part = arith::IndexCastOp::create(builder, loc, type.getElementType(), part);
  return tensor::FromElementsOp::create(builder, loc, type, part);
}

static Value fromRow(OpBuilder &builder, Location loc, Value row, Type part) {
  if (isa<RankedTensorType>(part))
    return row;
  Value element = tensor::ExtractOp::create(builder, loc, row, ValueRange());
  return isa<IndexType>(part) ? arith::IndexCastOp::create(builder, loc, part, element).getResult() : element;
}

SmallVector<Value> StateTape::store(OpBuilder &builder, Value number, ValueRange values, ValueRange carried) const {
  Value slot = number, next;
  if (!isBounded) {
    Value stride = carried.back(), one = makeIndex(builder, 1);
    // A state is kept whose number is a multiple of the stride, a power of two.
    Value rest = arith::AndIOp::create(builder, loc, number, arith::SubIOp::create(builder, loc, stride, one));
    Value isKept = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, makeIndex(builder, 0));
    slot = arith::SelectOp::create(builder, loc, isKept, findSlot(builder, number, stride), makeIndex(builder, slots));
    Value behind = arith::AddIOp::create(builder, loc, number, one);
    Value full = arith::MulIOp::create(builder, loc, stride, makeIndex(builder, slots));
    Value isFull = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, behind, full);
    Value doubled = arith::AddIOp::create(builder, loc, stride, stride);
    next = arith::SelectOp::create(builder, loc, isFull, doubled, stride);
  }
  SmallVector<Value> tapes;
  auto kept = llvm::make_filter_range(values, [](Value value) { return !isTokenType(value.getType()); });
  for (auto [value, tape] : llvm::zip(kept, carried))
    tapes.push_back(net::RowUpdateOp::create(builder, loc, asRow(builder, loc, value), tape, slot));
  if (next)
    tapes.push_back(next);
  return tapes;
}

Value StateTape::findKept(OpBuilder &builder, Value number, ValueRange carried) const {
  if (isBounded)
    return number;
  Value mask = arith::SubIOp::create(builder, loc, carried.back(), makeIndex(builder, 1));
  return arith::SubIOp::create(builder, loc, number, arith::AndIOp::create(builder, loc, number, mask));
}

SmallVector<Value> StateTape::load(OpBuilder &builder, Value kept, ValueRange init, ValueRange carried) const {
  Value slot = isBounded ? kept : findSlot(builder, kept, carried.back());
  SmallVector<Value> values;
  for (auto [first, part] : llvm::zip(init, state)) {
    if (isTokenType(part)) {
      values.push_back(first);
      continue;
    }
    Value row = net::RowOp::create(builder, loc, carried.front(), slot);
    carried = carried.drop_front();
    values.push_back(fromRow(builder, loc, row, part));
  }
  return values;
}
