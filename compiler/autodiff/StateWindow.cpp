// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/StateWindow.h"

#include "compiler/autodiff/Adjoints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// The memory that a window may take, and the states that it has at most. A gradient of a gradient keeps windows.
static constexpr int64_t kMaxBytes = int64_t(1) << 24, kMaxLength = 64;

StateWindow::StateWindow(Location loc, TypeRange state, const StateTape &tape, Value count, ValueRange kept)
    : loc(loc), rows(loc, state), tape(tape), count(count), kept(kept) {
  int64_t fitting = std::clamp<int64_t>(kMaxBytes / tape.getNeededBytes(), 1, kMaxLength);
  length = llvm::bit_floor(uint64_t(fitting));
}

/// One row more than the window has takes what is not stored.
SmallVector<Value> StateWindow::begin(OpBuilder &builder) const {
  return tape.keepsAll() ? SmallVector<Value>() : rows.makeEmpty(builder, length + 1);
}

/// The bits of a step's number that give its position in the window, which is as long as the stride or as it can be.
Value StateWindow::makeMask(OpBuilder &builder) const {
  Value steps = arith::MinUIOp::create(builder, loc, tape.getStride(kept), buildIndex(builder, loc, length));
  return arith::SubIOp::create(builder, loc, steps, buildIndex(builder, loc, 1));
}

/// Whether a step is the last one of its window, or of the loop.
Value StateWindow::isLast(OpBuilder &builder, Value number, Value mask) const {
  Value place = arith::AndIOp::create(builder, loc, number, mask);
  Value ofWindow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, place, mask);
  Value behind = arith::AddIOp::create(builder, loc, number, buildIndex(builder, loc, 1));
  Value ofLoop = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, behind, count);
  return arith::OrIOp::create(builder, loc, ofWindow, ofLoop);
}

SmallVector<Value> StateWindow::find(OpBuilder &builder, Value number, ValueRange init, StepBuilder buildStep,
                                     SmallVectorImpl<Value> &carried) const {
  Value from = tape.findKept(builder, number, kept);
  SmallVector<Value> state = tape.load(builder, from, init, kept);
  if (tape.keepsAll())
    return state;
  Value mask = makeMask(builder), fresh = isLast(builder, number, mask), unused = buildIndex(builder, loc, length);
  Value place = arith::AndIOp::create(builder, loc, number, mask);
  Value first = arith::SubIOp::create(builder, loc, number, place);
  Value to = arith::SelectOp::create(builder, loc, fresh, number, from);

  unsigned parts = state.size();
  SmallVector<Value> inits(state);
  llvm::append_range(inits, carried);
  auto body = [&](OpBuilder &b, Location, Value step, ValueRange arguments) {
    Value isInside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, step, first);
    Value row = arith::SelectOp::create(b, loc, isInside, arith::AndIOp::create(b, loc, step, mask), unused);
    SmallVector<Value> stored = rows.store(b, arguments.take_front(parts), arguments.drop_front(parts), row);
    SmallVector<Value> next = buildStep(b, step, arguments.take_front(parts));
    llvm::append_range(next, stored);
    scf::YieldOp::create(b, loc, next);
  };
  auto again = scf::ForOp::create(builder, loc, from, to, buildIndex(builder, loc, 1), inits, body);
  Value row = arith::SelectOp::create(builder, loc, fresh, place, unused);
  carried = rows.store(builder, again.getResults().take_front(parts), again.getResults().drop_front(parts), row);
  return rows.load(builder, carried, place, init);
}
