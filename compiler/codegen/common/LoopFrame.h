// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop around a step, as native code:
//
//   entry:   read the launch; fetch the counters
//   step:    number < sink_size?            else end(SINK_SIZE)
//   stop:    *stop == 0?                    else end(STOPPED)
//   room:    written - drained < depth?     else call the host, again or end
//   batch:   produced > consumed?           else call the host, again or end
//   body:    (the step)
//   done:    publish the record, release the slot, count the step
//   end:     store steps and reason, return
//
// Counters that this side owns are carried in registers; the other side's are read by acquire loads, and ours are
// published by release stores, as runtime/abi/executable_abi.h requires. A step whose batch is ready and whose guard
// holds makes no call.
//
// Calls of the host, and the end, restore the host's floating-point mode.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_LOOPFRAME_H
#define PLUMB_COMPILER_CODEGEN_COMMON_LOOPFRAME_H

#include "compiler/codegen/common/FloatModes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace plumb {

/// The native loop of one device.loop, without its step.
class LoopFrame {
public:
  /// Builds the function `symbol` at the insertion point. `queue` is the index of the queue that the step pulls from,
  /// if it pulls.
  LoopFrame(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef symbol, std::optional<unsigned> queue,
            const CpuTarget &target);

  /// The function.
  mlir::LLVM::LLVMFuncOp function;
  /// The block for the step's operations; its terminator exists already.
  mlir::Block *body = nullptr;
  /// Base addresses of the step's buffers.
  mlir::Value arena, variables, slot, record;

  /// At the insertion point: the address of a free record of the ring of prints, for the print `index`. Waits while the
  /// ring is full.
  mlir::Value beginPrint(uint64_t index);
  /// Publishes that record.
  void endPrint();

  /// Ends the launch after this step unless `condition` (i1) holds.
  void setGuard(mlir::Value condition);

private:
  using Value = mlir::Value;
  using Block = mlir::Block;

  void buildEntry();
  void buildLimits();
  void buildRoom();
  void buildBatch();
  void buildDone();
  void buildEnd();
  Block *addBlock(unsigned integers = 0);
  void startAt(Block *block);

  Value constant(uint64_t value, unsigned bits = 64);
  Value address(Value base, Value offset);
  Value field(Value base, int64_t offset);
  Value load(mlir::Type type, Value base, int64_t offset);
  Value loadAcquire(Value base, int64_t offset);
  void storeRelease(Value value, Value base, int64_t offset);
  Value compare(mlir::LLVM::ICmpPredicate predicate, Value lhs, Value rhs);
  void endIf(Value condition, Value reason, Block *otherwise);
  Value callHost(int64_t field, llvm::ArrayRef<Value> arguments);
  Value nextIndex(Value index, Value depth);

  void waitForPrints(Value prints, Value printed, Value depth);

  mlir::ImplicitLocOpBuilder &builder;
  FloatModes modes;
  std::optional<unsigned> queue;
  mlir::Type i64, i32, pointer;
  Block *entry, *step, *stop, *room, *batch, *done, *end;
  Value launch, sinkSize, stopFlag;
  Value ring, records, recordBytes, ringDepth;
  Value ringQueue, slots, slotBytes, queueDepth;
  /// Carried from step to step: steps done, batches taken, their slot's index, records written, their index.
  Value number, consumed, slotIndex, written, recordIndex;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_LOOPFRAME_H
