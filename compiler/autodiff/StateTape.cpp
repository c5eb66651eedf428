// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/StateTape.h"

#include "compiler/autodiff/Adjoints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// The memory that one tape may take, and the slots that it has at least and at most.
static constexpr int64_t kMaxBytes = int64_t(1) << 27, kMinSlots = 16, kMaxSlots = 1024;

StateTape::StateTape(Location loc, TypeRange state, TypeRange needed, int64_t bound)
    : loc(loc), rows(loc, state), neededBytes(StateRows(loc, needed).countBytes()) {
  int64_t fitting = kMaxBytes / neededBytes;
  isBounded = bound > 0 && bound <= std::max(fitting, kMinSlots);
  // A power of two, so that the slots that a doubled stride frees are half of them.
  slots = isBounded ? bound : int64_t(llvm::bit_floor(uint64_t(std::clamp(fitting, kMinSlots, kMaxSlots))));
}

int64_t StateTape::countBytesLeft() const { return std::max<int64_t>(kMaxBytes - slots * neededBytes, 0); }

/// One row more than there are slots takes the states that are not kept.
SmallVector<Value> StateTape::begin(OpBuilder &builder) const {
  SmallVector<Value> carried = rows.makeEmpty(builder, isBounded ? slots : slots + 1);
  if (!isBounded)
    carried.push_back(buildIndex(builder, loc, 1));
  return carried;
}

/// The slot of a state that is kept. From the stride down: a state behind the slots of a smaller stride has the slot of
/// the odd multiple of that stride which it replaced.
Value StateTape::findSlot(OpBuilder &builder, Value number, Value stride) const {
  if (isBounded)
    return number;
  Value one = buildIndex(builder, loc, 1), half = arith::ShRUIOp::create(builder, loc, stride, one);
  auto before = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value goesOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, arguments[1], one);
    scf::ConditionOp::create(b, loc, goesOn, arguments);
  };
  auto after = [&](OpBuilder &b, Location loc, ValueRange arguments) {
    Value full = arith::MulIOp::create(b, loc, arguments[1], buildIndex(b, loc, slots));
    Value behind = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, arguments[0], full);
    Value step = arith::MulIOp::create(b, loc, arguments[1], buildIndex(b, loc, slots - 1));
    Value replaced = arith::SubIOp::create(b, loc, arguments[0], step);
    Value next = arith::SelectOp::create(b, loc, behind, replaced, arguments[0]);
    scf::YieldOp::create(b, loc, ValueRange{next, arith::ShRUIOp::create(b, loc, arguments[1], one)});
  };
  return scf::WhileOp::create(builder, loc, TypeRange{number.getType(), number.getType()}, ValueRange{number, half},
                              before, after)
      .getResult(0);
}

SmallVector<Value> StateTape::store(OpBuilder &builder, Value number, ValueRange values, ValueRange carried) const {
  Value slot = number, next;
  if (!isBounded) {
    Value stride = carried.back(), one = buildIndex(builder, loc, 1);
    // A state is kept whose number is a multiple of the stride, a power of two.
    Value rest = arith::AndIOp::create(builder, loc, number, arith::SubIOp::create(builder, loc, stride, one));
    Value isKept = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, buildIndex(builder, loc, 0));
    slot = arith::SelectOp::create(builder, loc, isKept, findSlot(builder, number, stride),
                                   buildIndex(builder, loc, slots));
    Value behind = arith::AddIOp::create(builder, loc, number, one);
    Value full = arith::MulIOp::create(builder, loc, stride, buildIndex(builder, loc, slots));
    Value isFull = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, behind, full);
    Value doubled = arith::AddIOp::create(builder, loc, stride, stride);
    next = arith::SelectOp::create(builder, loc, isFull, doubled, stride);
  }
  SmallVector<Value> tapes = rows.store(builder, values, carried, slot);
  if (next)
    tapes.push_back(next);
  return tapes;
}

Value StateTape::findKept(OpBuilder &builder, Value number, ValueRange carried) const {
  if (isBounded)
    return number;
  Value mask = arith::SubIOp::create(builder, loc, carried.back(), buildIndex(builder, loc, 1));
  return arith::SubIOp::create(builder, loc, number, arith::AndIOp::create(builder, loc, number, mask));
}

SmallVector<Value> StateTape::load(OpBuilder &builder, Value kept, ValueRange init, ValueRange carried) const {
  return rows.load(builder, carried, isBounded ? kept : findSlot(builder, kept, carried.back()), init);
}
