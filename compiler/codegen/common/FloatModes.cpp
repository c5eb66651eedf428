// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control registers of the mode, and their bits.

#include "compiler/codegen/common/FloatModes.h"

using namespace mlir;
using namespace plumb;

/// Of x86's MXCSR: results (bit 15) and operands (bit 6) flush to zero.
static constexpr int64_t kMxcsrFlush = 0x8040;
/// Of AArch64's FPCR: results and operands flush to zero.
static constexpr int64_t kFpcrFlush = 1 << 24;

FloatModes::FloatModes(ImplicitLocOpBuilder &builder, const CpuTarget &target)
    : builder(builder), isX86(target.triple.isX86()), type(builder.getIntegerType(isX86 ? 32 : 64)) {}

/// Stores the processor's mode.
void FloatModes::save(Value address) {
  if (isX86) {
    LLVM::CallIntrinsicOp::create(builder, builder.getStringAttr("llvm.x86.sse.stmxcsr"), address);
    return;
  }
  auto get = builder.getStringAttr("llvm.aarch64.get.fpcr");
  Value mode = LLVM::CallIntrinsicOp::create(builder, type, get, ValueRange()).getResult(0);
  LLVM::StoreOp::create(builder, mode, address);
}

/// Loads the processor's mode.
void FloatModes::set(Value address) {
  if (isX86) {
    LLVM::CallIntrinsicOp::create(builder, builder.getStringAttr("llvm.x86.sse.ldmxcsr"), address);
    return;
  }
  Value mode = LLVM::LoadOp::create(builder, type, address);
  LLVM::CallIntrinsicOp::create(builder, builder.getStringAttr("llvm.aarch64.set.fpcr"), mode);
}

void FloatModes::begin() {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value one = LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(1));
  host = LLVM::AllocaOp::create(builder, pointer, type, one);
  step = LLVM::AllocaOp::create(builder, pointer, type, one);
  save(host);
  Value mode = LLVM::LoadOp::create(builder, type, host);
  Value flush = LLVM::ConstantOp::create(builder, builder.getIntegerAttr(type, isX86 ? kMxcsrFlush : kFpcrFlush));
  LLVM::StoreOp::create(builder, LLVM::OrOp::create(builder, mode, flush), step);
  setStep();
}
