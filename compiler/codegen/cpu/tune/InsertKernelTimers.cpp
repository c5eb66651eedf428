// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of kernels where they run, among the others and with their own data: two reads of a counter per call and one
// store, which no sampling at an even pace can match for short kernels. A ring of times instead of a sum, so that a
// median ignores interruptions. Threads that run chunks of one kernel at once may lose a time; none is wrong by that.
// Covered by insert_kernel_timers.mlir.

#include "compiler/codegen/cpu/tune/Passes.h"
#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"
#include "runtime/abi/kernel_timer.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace plumb {
#define GEN_PASS_DEF_INSERTKERNELTIMERSPASS
#include "compiler/codegen/cpu/tune/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// Adds a timer to one kernel.
class TimerWriter {
public:
  TimerWriter(LLVM::LLVMFuncOp kernel, StringRef counter)
      : kernel(kernel), counter(counter), builder(kernel.getLoc(), kernel), i64(builder.getI64Type()),
        pointer(LLVM::LLVMPointerType::get(kernel.getContext())) {}

  void run();

private:
  LLVM::GlobalOp addGlobal();
  Value readCounter();
  Value constant(int64_t value) { return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(value)); }
  void store(Value ticks, LLVM::GlobalOp global);

  LLVM::LLVMFuncOp kernel;
  /// The intrinsic that reads the processor's counter.
  StringRef counter;
  ImplicitLocOpBuilder builder;
  Type i64, pointer;
};

} // namespace

LLVM::GlobalOp TimerWriter::addGlobal() {
  auto type = LLVM::LLVMArrayType::get(i64, PLUMB_TIMER_LENGTH + 1);
  auto global = LLVM::GlobalOp::create(builder, type, /*isConstant=*/false, LLVM::Linkage::Internal,
                                       (PLUMB_TIMER_PREFIX + kernel.getName()).str(), Attribute());
  // Loaders refuse memory that the file does not fill.
  global.setSection(".data");
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  Value zero = LLVM::ZeroOp::create(builder, type);
  LLVM::ReturnOp::create(builder, zero);
  return global;
}

Value TimerWriter::readCounter() {
  return LLVM::CallIntrinsicOp::create(builder, i64, builder.getStringAttr(counter), ValueRange())->getResult(0);
}

/// Stores a time behind the last one, and counts it.
void TimerWriter::store(Value ticks, LLVM::GlobalOp global) {
  Value timer = LLVM::AddressOfOp::create(builder, global);
  Value count = LLVM::LoadOp::create(builder, i64, timer);
  Value number = LLVM::AndOp::create(builder, count, constant(PLUMB_TIMER_LENGTH - 1));
  Value next = LLVM::AddOp::create(builder, number, constant(1));
  Value place = LLVM::GEPOp::create(builder, pointer, i64, timer, ArrayRef<LLVM::GEPArg>{next});
  LLVM::StoreOp::create(builder, ticks, place);
  LLVM::StoreOp::create(builder, LLVM::AddOp::create(builder, count, constant(1)), timer);
}

void TimerWriter::run() {
  LLVM::GlobalOp global = addGlobal();
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value start = readCounter();
  kernel.walk([&](LLVM::ReturnOp end) {
    builder.setInsertionPoint(end);
    store(LLVM::SubOp::create(builder, readCounter(), start), global);
  });
}

namespace {
struct InsertKernelTimers : plumb::impl::InsertKernelTimersPassBase<InsertKernelTimers> {
  using InsertKernelTimersPassBase::InsertKernelTimersPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    static_assert(llvm::isPowerOf2_64(PLUMB_TIMER_LENGTH));
    // Programs may not read AArch64's counter of cycles, but its counter of time.
    StringRef counter = target->triple.isAArch64() ? "llvm.readsteadycounter" : "llvm.readcyclecounter";
    for (auto module : getOperation().getOps<device::ModuleOp>()) {
      SmallVector<LLVM::LLVMFuncOp> kernels;
      for (auto function : module.getBody().getOps<LLVM::LLVMFuncOp>())
        if (function->hasAttr(kernel::kInfoName) && !function.isExternal())
          kernels.push_back(function);
      for (LLVM::LLVMFuncOp kernel : kernels)
        TimerWriter(kernel, counter).run();
    }
  }
};
} // namespace
