// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the frame block by block, in the order of the sketch in the header.

#include "compiler/codegen/common/LoopFrame.h"

#include "runtime/abi/executable_abi.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;
using LLVM::ICmpPredicate;

LoopFrame::LoopFrame(ImplicitLocOpBuilder &builder, StringRef symbol, std::optional<unsigned> queue,
                     const CpuTarget &target)
    : builder(builder), modes(builder, target), queue(queue), i64(builder.getI64Type()), i32(builder.getI32Type()),
      pointer(LLVM::LLVMPointerType::get(builder.getContext())) {
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {pointer});
  function = LLVM::LLVMFuncOp::create(builder, symbol, type);
  entry = function.addEntryBlock(builder);
  step = addBlock(5);
  stop = addBlock();
  room = addBlock();
  batch = addBlock();
  body = addBlock();
  done = addBlock();
  end = addBlock(2);
  buildEntry();
  buildLimits();
  buildRoom();
  buildBatch();
  buildDone();
  buildEnd();
}

/// Appends a block; arguments are i64, but the end's second one is i32.
Block *LoopFrame::addBlock(unsigned integers) {
  auto *block = new Block();
  function.getBody().push_back(block);
  for (unsigned i = 0; i < integers; ++i)
    block->addArgument(integers == 2 && i == 1 ? i32 : i64, builder.getLoc());
  return block;
}

void LoopFrame::startAt(Block *block) { builder.setInsertionPointToEnd(block); }

Value LoopFrame::constant(uint64_t value, unsigned bits) {
  return LLVM::ConstantOp::create(builder, builder.getIntegerAttr(builder.getIntegerType(bits), value));
}

Value LoopFrame::address(Value base, Value offset) {
  return LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{offset});
}

Value LoopFrame::field(Value base, int64_t offset) {
  return LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{int32_t(offset)});
}

Value LoopFrame::load(Type type, Value base, int64_t offset) {
  return LLVM::LoadOp::create(builder, type, field(base, offset));
}

Value LoopFrame::loadAcquire(Value base, int64_t offset) {
  return LLVM::LoadOp::create(builder, i64, field(base, offset),
                              /*alignment=*/8, /*isVolatile=*/false,
                              /*isNonTemporal=*/false, /*isInvariant=*/false,
                              /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire);
}

void LoopFrame::storeRelease(Value value, Value base, int64_t offset) {
  LLVM::StoreOp::create(builder, value, field(base, offset), /*alignment=*/8,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, LLVM::AtomicOrdering::release);
}

Value LoopFrame::compare(ICmpPredicate predicate, Value lhs, Value rhs) {
  return LLVM::ICmpOp::create(builder, predicate, lhs, rhs);
}

/// Leaves the loop for `reason` if `condition` holds.
void LoopFrame::endIf(Value condition, Value reason, Block *otherwise) {
  LLVM::CondBrOp::create(builder, condition, end, ValueRange{number, reason}, otherwise, ValueRange{});
}

/// Calls the function pointer in the launch's `field`; the launch is the first argument.
Value LoopFrame::callHost(int64_t field, ArrayRef<Value> arguments) {
  Value callee = load(pointer, launch, field);
  SmallVector<Value> operands{callee, launch};
  SmallVector<Type> types{pointer};
  for (Value argument : arguments) {
    operands.push_back(argument);
    types.push_back(argument.getType());
  }
  auto type = LLVM::LLVMFunctionType::get(i32, types);
  modes.setHost();
  Value answer = LLVM::CallOp::create(builder, type, operands).getResult();
  modes.setStep();
  return answer;
}

/// The index after `index` in a ring.
Value LoopFrame::nextIndex(Value index, Value depth) {
  Value next = LLVM::AddOp::create(builder, index, constant(1));
  Value wraps = compare(ICmpPredicate::eq, next, depth);
  return LLVM::SelectOp::create(builder, wraps, constant(0), next);
}

void LoopFrame::buildEntry() {
  startAt(entry);
  launch = entry->getArgument(0);
  sinkSize = load(i64, launch, offsetof(plumb_launch_t, sink_size));
  arena = load(pointer, launch, offsetof(plumb_launch_t, arena));
  variables = load(pointer, launch, offsetof(plumb_launch_t, variables));
  stopFlag = load(pointer, launch, offsetof(plumb_launch_t, stop));
  ring = load(pointer, launch, offsetof(plumb_launch_t, reports));
  records = load(pointer, ring, offsetof(plumb_report_ring_t, records));
  recordBytes = load(i64, ring, offsetof(plumb_report_ring_t, record_bytes));
  ringDepth = load(i64, ring, offsetof(plumb_report_ring_t, depth));
  Value start = constant(0), taken = start, slotStart = start;
  if (queue) {
    Value table = load(pointer, launch, offsetof(plumb_launch_t, queues));
    ringQueue = load(pointer, table, *queue * sizeof(void *));
    slots = load(pointer, ringQueue, offsetof(plumb_queue_t, slots));
    slotBytes = load(i64, ringQueue, offsetof(plumb_queue_t, slot_bytes));
    queueDepth = load(i64, ringQueue, offsetof(plumb_queue_t, depth));
    taken = load(i64, ringQueue, offsetof(plumb_queue_t, consumed));
    slotStart = LLVM::URemOp::create(builder, taken, queueDepth);
  }
  Value records = load(i64, ring, offsetof(plumb_report_ring_t, written));
  Value recordStart = LLVM::URemOp::create(builder, records, ringDepth);
  modes.begin();
  LLVM::BrOp::create(builder, ValueRange{start, taken, slotStart, records, recordStart}, step);
}

/// Checks the number of steps and the stop flag.
void LoopFrame::buildLimits() {
  startAt(step);
  number = step->getArgument(0);
  consumed = step->getArgument(1);
  slotIndex = step->getArgument(2);
  written = step->getArgument(3);
  recordIndex = step->getArgument(4);
  Value reached = compare(ICmpPredicate::uge, number, sinkSize);
  endIf(reached, constant(PLUMB_END_SINK_SIZE, 32), stop);
  startAt(stop);
  Value flag = LLVM::LoadOp::create(builder, i32, stopFlag, /*alignment=*/4, false, false, false, false,
                                    LLVM::AtomicOrdering::monotonic);
  Value isStopped = compare(ICmpPredicate::ne, flag, constant(0, 32));
  endIf(isStopped, constant(PLUMB_END_STOPPED, 32), room);
}

/// Waits for a free record, so that the step can report at its end.
void LoopFrame::buildRoom() {
  startAt(room);
  Value drained = loadAcquire(ring, offsetof(plumb_report_ring_t, drained));
  Value used = LLVM::SubOp::create(builder, written, drained);
  Value hasRoom = compare(ICmpPredicate::ult, used, ringDepth);
  Block *wait = addBlock();
  LLVM::CondBrOp::create(builder, hasRoom, batch, ValueRange{}, wait, ValueRange{});
  startAt(wait);
  Value answer = callHost(offsetof(plumb_launch_t, wait_report), {});
  Value failed = compare(ICmpPredicate::ne, answer, constant(PLUMB_WAIT_READY, 32));
  // The results of a wait are reasons to end.
  static_assert(int(PLUMB_WAIT_END_OF_DATA) == int(PLUMB_END_OF_DATA) &&
                int(PLUMB_WAIT_STOPPED) == int(PLUMB_END_STOPPED) && int(PLUMB_WAIT_ERROR) == int(PLUMB_END_ERROR));
  endIf(failed, answer, room);
}

/// Waits for the batch; computes the addresses of its slot and of the record.
void LoopFrame::buildBatch() {
  startAt(batch);
  if (queue) {
    Value produced = loadAcquire(ringQueue, offsetof(plumb_queue_t, produced));
    Value hasBatch = compare(ICmpPredicate::ne, produced, consumed);
    Block *wait = addBlock();
    LLVM::CondBrOp::create(builder, hasBatch, body, ValueRange{}, wait, ValueRange{});
    startAt(wait);
    Value answer = callHost(offsetof(plumb_launch_t, wait_batch), {constant(*queue, 32)});
    Value failed = compare(ICmpPredicate::ne, answer, constant(PLUMB_WAIT_READY, 32));
    endIf(failed, answer, batch);
  } else {
    LLVM::BrOp::create(builder, ValueRange{}, body);
  }
  startAt(body);
  if (queue)
    slot = address(slots, LLVM::MulOp::create(builder, slotIndex, slotBytes));
  record = address(records, LLVM::MulOp::create(builder, recordIndex, recordBytes));
  LLVM::StoreOp::create(builder, number, record);
  LLVM::BrOp::create(builder, ValueRange{}, done);
}

/// Publishes the step's results and branches to the next step.
void LoopFrame::buildDone() {
  startAt(done);
  Value one = constant(1);
  Value records = LLVM::AddOp::create(builder, written, one);
  storeRelease(records, ring, offsetof(plumb_report_ring_t, written));
  Value nextRecord = nextIndex(recordIndex, ringDepth);
  Value taken = consumed, nextSlot = slotIndex;
  if (queue) {
    taken = LLVM::AddOp::create(builder, consumed, one);
    storeRelease(taken, ringQueue, offsetof(plumb_queue_t, consumed));
    nextSlot = nextIndex(slotIndex, queueDepth);
  }
  Value steps = LLVM::AddOp::create(builder, number, one);
  LLVM::BrOp::create(builder, ValueRange{steps, taken, nextSlot, records, nextRecord}, step);
}

void LoopFrame::buildEnd() {
  startAt(end);
  LLVM::StoreOp::create(builder, end->getArgument(0), field(launch, offsetof(plumb_launch_t, steps)));
  LLVM::StoreOp::create(builder, end->getArgument(1), field(launch, offsetof(plumb_launch_t, reason)));
  modes.setHost();
  LLVM::ReturnOp::create(builder, ValueRange{});
}

/// Waits until the host has released a record. A structured loop, since prints may be in regions of one block.
void LoopFrame::waitForPrints(Value prints, Value printed, Value depth) {
  auto test = [&](OpBuilder &, Location loc, ValueRange) {
    Value drained = loadAcquire(prints, offsetof(plumb_report_ring_t, drained));
    Value used = LLVM::SubOp::create(builder, printed, drained);
    scf::ConditionOp::create(builder, compare(ICmpPredicate::uge, used, depth), ValueRange{});
  };
  auto wait = [&](OpBuilder &, Location loc, ValueRange) {
    callHost(offsetof(plumb_launch_t, wait_print), {});
    scf::YieldOp::create(builder);
  };
  scf::WhileOp::create(builder, TypeRange(), ValueRange(), test, wait);
}

Value LoopFrame::beginPrint(uint64_t index) {
  Value prints = load(pointer, launch, offsetof(plumb_launch_t, prints));
  Value depth = load(i64, prints, offsetof(plumb_report_ring_t, depth));
  Value printed = load(i64, prints, offsetof(plumb_report_ring_t, written));
  waitForPrints(prints, printed, depth);
  Value base = load(pointer, prints, offsetof(plumb_report_ring_t, records));
  Value bytes = load(i64, prints, offsetof(plumb_report_ring_t, record_bytes));
  Value position = LLVM::URemOp::create(builder, printed, depth);
  Value record = address(base, LLVM::MulOp::create(builder, position, bytes));
  LLVM::StoreOp::create(builder, number, record);
  LLVM::StoreOp::create(builder, constant(index), field(record, sizeof(uint64_t)));
  return record;
}

void LoopFrame::endPrint() {
  Value prints = load(pointer, launch, offsetof(plumb_launch_t, prints));
  Value printed = load(i64, prints, offsetof(plumb_report_ring_t, written));
  Value next = LLVM::AddOp::create(builder, printed, constant(1));
  storeRelease(next, prints, offsetof(plumb_report_ring_t, written));
}

void LoopFrame::setGuard(Value condition) {
  OpBuilder::InsertionGuard guard(builder);
  auto again = cast<LLVM::BrOp>(done->getTerminator());
  builder.setInsertionPoint(again);
  Value steps = again.getDestOperands()[0];
  Value reason = constant(PLUMB_END_GUARD, 32);
  LLVM::CondBrOp::create(builder, condition, step, SmallVector<Value>(again.getDestOperands()), end,
                         ValueRange{steps, reason});
  again.erase();
}
