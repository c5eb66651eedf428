// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves each step into a native loop. Runs before the vectorizing passes, so that copies into the report are vectorized
// like other operations. Buffers stay memrefs, made from addresses by casts that later conversions fold. Covered by
// convert_device_to_llvm.mlir.

#include "compiler/codegen/common/LoopFrame.h"
#include "compiler/codegen/common/Passes.h"
#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTDEVICETOLLVMPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Converts one loop.
class LoopConversion {
public:
  LoopConversion(device::LoopOp loop, device::ModuleOp module, const CpuTarget &target)
      : loop(loop), module(module), symbols(module), target(target), converter(loop.getContext()) {}

  LogicalResult convert();

private:
  LogicalResult checkEffects();
  LogicalResult convertViews(LoopFrame &frame);
  LogicalResult convertOps(LoopFrame &frame, ImplicitLocOpBuilder &builder);
  LogicalResult convertGetNext(device::GetNextOp op, LoopFrame &frame, ImplicitLocOpBuilder &builder);
  LogicalResult convertEmit(device::EmitOp op, LoopFrame &frame, ImplicitLocOpBuilder &builder);
  void convertPrints(LoopFrame &frame, ImplicitLocOpBuilder &builder);
  void convertGuard(device::ContinueIfOp op, ImplicitLocOpBuilder &builder);
  std::optional<unsigned> queueIndex();
  Value makeBuffer(ImplicitLocOpBuilder &builder, Value base, int64_t offset, MemRefType type);
  DenseI64ArrayAttr getChunks(OpBuilder &builder);
  void declareEntry(StringRef symbol);

  device::LoopOp loop;
  device::ModuleOp module;
  SymbolTable symbols; ///< What the module declares before the conversion.
  const CpuTarget &target;
  LLVMTypeConverter converter;
  SmallVector<Attribute> reports;
  /// The conjunction of all guards.
  Value guard;
};

struct ConvertDeviceToLLVM : plumb::impl::ConvertDeviceToLLVMPassBase<ConvertDeviceToLLVM> {
  using ConvertDeviceToLLVMPassBase::ConvertDeviceToLLVMPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    for (auto module : getOperation().getOps<device::ModuleOp>())
      for (auto loop : llvm::make_early_inc_range(module.getBody().getOps<device::LoopOp>()))
        if (failed(LoopConversion(loop, module, *target).convert()))
          return signalPassFailure();
  }
};

} // namespace

/// Checks the promise of `lower`: buffers only.
LogicalResult LoopConversion::checkEffects() {
  WalkResult result = loop.walk([](Operation *op) {
    if (isa<device::ReadOp, device::WriteOp>(op)) {
      op->emitOpError("is left after lower: codegen takes buffers only");
      return WalkResult::interrupt();
    }
    if (auto print = dyn_cast<device::PrintOp>(op); print && !print.getOffsets()) {
      op->emitOpError("has no offsets; run lower");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The queue's index in the manifest, which is the order of the module's queues.
std::optional<unsigned> LoopConversion::queueIndex() {
  device::GetNextOp getNext = loop.getGetNext();
  if (!getNext)
    return std::nullopt;
  unsigned index = 0;
  for (auto queue : module.getBody().getOps<device::QueueOp>()) {
    if (queue.getSymName() == getNext.getQueue())
      return index;
    ++index;
  }
  return std::nullopt;
}

/// A memref over `type`'s bytes at `base` + `offset`.
Value LoopConversion::makeBuffer(ImplicitLocOpBuilder &builder, Value base, int64_t offset, MemRefType type) {
  // A constant index of a GEP has 29 bits, fewer than the offsets of an arena.
  Value distance = LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(offset));
  Value address =
      LLVM::GEPOp::create(builder, base.getType(), builder.getI8Type(), base, ArrayRef<LLVM::GEPArg>{distance});
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, builder.getLoc(), converter, type, address);
  return UnrealizedConversionCastOp::create(builder, type, descriptor).getResult(0);
}

LogicalResult LoopConversion::convertGetNext(device::GetNextOp op, LoopFrame &frame, ImplicitLocOpBuilder &builder) {
  auto queue = symbols.lookup<device::QueueOp>(op.getQueue());
  if (!queue || !queue.getOffsets())
    return op.emitOpError("pulls from a queue without offsets; run lower");
  for (auto [result, offset] : llvm::zip_equal(op.getBatch(), *queue.getOffsets()))
    result.replaceAllUsesWith(makeBuffer(builder, frame.slot, offset, cast<MemRefType>(result.getType())));
  return success();
}

LogicalResult LoopConversion::convertEmit(device::EmitOp op, LoopFrame &frame, ImplicitLocOpBuilder &builder) {
  auto report = symbols.lookup<device::ReportOp>(op.getReport());
  if (!report || !report.getOffset())
    return op.emitOpError("emits a report without an offset; run lower");
  auto type = cast<MemRefType>(op.getValue().getType());
  auto contiguous = MemRefType::get(type.getShape(), type.getElementType());
  Value target = makeBuffer(builder, frame.record, *report.getOffset(), contiguous);
  linalg::CopyOp::create(builder, op.getValue(), target);
  reports.push_back(op.getReportAttr());
  return success();
}

/// Prints may be in branches and loops of the step. Each becomes copies into a record of the ring of prints.
void LoopConversion::convertPrints(LoopFrame &frame, ImplicitLocOpBuilder &builder) {
  SmallVector<device::PrintOp> prints;
  frame.body->walk([&](device::PrintOp print) { prints.push_back(print); });
  for (auto [number, print] : llvm::enumerate(prints)) {
    builder.setInsertionPoint(print);
    builder.setLoc(print.getLoc());
    Value record = frame.beginPrint(number);
    for (auto [value, offset] : llvm::zip_equal(print.getValues(), *print.getOffsets())) {
      auto type = cast<MemRefType>(value.getType());
      auto contiguous = MemRefType::get(type.getShape(), type.getElementType());
      linalg::CopyOp::create(builder, value, makeBuffer(builder, record, offset, contiguous));
    }
    frame.endPrint();
    print.erase();
  }
}

void LoopConversion::convertGuard(device::ContinueIfOp op, ImplicitLocOpBuilder &builder) {
  Value condition = op.getCondition();
  if (isa<MemRefType>(condition.getType()))
    condition = memref::LoadOp::create(builder, condition, ValueRange{});
  guard = guard ? arith::AndIOp::create(builder, guard, condition) : condition;
}

/// Views may also be inside branches and loops of the step.
LogicalResult LoopConversion::convertViews(LoopFrame &frame) {
  SmallVector<Operation *> views;
  frame.body->walk([&](Operation *op) {
    if (isa<device::VariableViewOp, device::ArenaViewOp>(op))
      views.push_back(op);
  });
  for (Operation *op : views) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    auto type = cast<MemRefType>(op->getResult(0).getType());
    Value base = frame.arena;
    int64_t offset = 0;
    if (auto view = dyn_cast<device::VariableViewOp>(op)) {
      auto variable = symbols.lookup<device::VariableOp>(view.getVariable());
      if (!variable || !variable.getOffset())
        return op->emitOpError("views a variable without an offset; run lower");
      base = frame.variables;
      offset = *variable.getOffset();
    } else {
      offset = cast<device::ArenaViewOp>(op).getOffset();
    }
    op->getResult(0).replaceAllUsesWith(makeBuffer(builder, base, offset, type));
    op->erase();
  }
  return success();
}

LogicalResult LoopConversion::convertOps(LoopFrame &frame, ImplicitLocOpBuilder &builder) {
  for (Operation &op : llvm::make_early_inc_range(*frame.body)) {
    builder.setInsertionPoint(&op);
    builder.setLoc(op.getLoc());
    if (auto getNext = dyn_cast<device::GetNextOp>(op)) {
      if (failed(convertGetNext(getNext, frame, builder)))
        return failure();
    } else if (auto emit = dyn_cast<device::EmitOp>(op)) {
      if (failed(convertEmit(emit, frame, builder)))
        return failure();
    } else if (auto guardOp = dyn_cast<device::ContinueIfOp>(op)) {
      convertGuard(guardOp, builder);
    } else {
      continue;
    }
    op.erase();
  }
  return success();
}

/// The chunks of each partitioned kernel, in the order of the step.
DenseI64ArrayAttr LoopConversion::getChunks(OpBuilder &builder) {
  SmallVector<int64_t> chunks;
  loop.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (int64_t count = kernel::countChunks(callee))
      chunks.push_back(count);
  });
  return chunks.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(chunks);
}

/// What the loop's prints show, in the order of their numbers; null where there are none.
static ArrayAttr describePrints(device::LoopOp loop) {
  SmallVector<Attribute> prints;
  loop.walk([&](device::PrintOp print) {
    prints.push_back(
        device::PrintAttr::get(print.getContext(), print.getTexts(), print.getTypes(), print.getOffsetsAttr()));
  });
  return prints.empty() ? ArrayAttr() : ArrayAttr::get(loop.getContext(), prints);
}

/// The numbers of the prints that format messages of assertions; null where there are none.
static DenseI64ArrayAttr getErrorPrints(device::LoopOp loop) {
  SmallVector<int64_t> numbers;
  int64_t count = 0;
  loop.walk([&](device::PrintOp print) {
    if (print->hasAttr("device.error"))
      numbers.push_back(count);
    ++count;
  });
  return numbers.empty() ? DenseI64ArrayAttr() : DenseI64ArrayAttr::get(loop.getContext(), numbers);
}

/// Declares the loop's name and options beside its function.
void LoopConversion::declareEntry(StringRef symbol) {
  OpBuilder builder(loop);
  device::GetNextOp getNext = loop.getGetNext();
  auto queue = getNext ? FlatSymbolRefAttr::get(getNext.getQueueAttr().getAttr()) : FlatSymbolRefAttr();
  int64_t bytes = loop.getRecordBytes().value_or(sizeof(uint64_t));
  auto entry = device::EntryOp::create(builder, loop.getLoc(), loop.getLoopName(), symbol, loop.getMode(), queue,
                                       builder.getArrayAttr(reports), bytes, describePrints(loop),
                                       loop.getPrintBytesAttr(), loop.getSinkSize(), loop.getEpochs());
  if (DenseI64ArrayAttr errors = getErrorPrints(loop))
    entry->setAttr("device.error_prints", errors);
  if (DenseI64ArrayAttr chunks = getChunks(builder))
    entry->setAttr(kernel::kChunksName, chunks);
}

LogicalResult LoopConversion::convert() {
  if (failed(checkEffects()))
    return failure();
  for (Operation &op : loop.getBody().front())
    if (auto emit = dyn_cast<device::EmitOp>(op))
      reports.push_back(emit.getReportAttr());
  std::string symbol = ("plumb_loop_" + loop.getLoopName()).str();
  declareEntry(symbol);
  reports.clear();

  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  LoopFrame frame(builder, symbol, queueIndex(), target);
  Block &step = loop.getBody().front();
  step.getTerminator()->erase();
  frame.body->getOperations().splice(frame.body->getTerminator()->getIterator(), step.getOperations());
  if (failed(convertViews(frame)) || failed(convertOps(frame, builder)))
    return failure();
  convertPrints(frame, builder);
  if (guard)
    frame.setGuard(guard);
  loop.erase();
  return success();
}
