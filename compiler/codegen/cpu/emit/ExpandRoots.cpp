// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands square roots of f32 vectors on AVX-512, by Goldschmidt's and Newton's iterations from the processor's
// estimate r of 1 / √x. With s = x · r and h = r / 2,
//
//   d = 1/2 − s · h,  s ← s + s · d,  h ← h + h · d      28 bits each
//   s ← s + h · (x − s²)                                 rounded as √x is
//
// The multiply-adds run on their ports while the divider is free for other operations: Adam's update is a root and a
// quotient. Kernels that wait for memory keep the instruction, as the expansion has more instructions. Covered by
// expand_roots.mlir.

#include "compiler/codegen/cpu/Passes.h"

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace plumb {
#define GEN_PASS_DEF_EXPANDROOTSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Classes of the fpclass instruction: zeros of both signs and positive infinity.
static constexpr int64_t kZeroOrInfinite = 0x02 | 0x04 | 0x08;

/// Whether the intrinsics exist for the vector's length.
static bool isExpandable(math::SqrtOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  return type && type.getElementType().isF32() && type.getRank() == 1 &&
         llvm::is_contained({4, 8, 16}, type.getNumElements());
}

/// Whether L2 holds all of the function's buffers.
static bool isNear(func::FuncOp function, const CpuTarget &target) {
  int64_t bytes = 0;
  for (Type type : function.getArgumentTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      bytes += device::getByteSize(buffer);
  return bytes <= target.machine.caches.back().bytes();
}

/// Calls the intrinsic `name` for the vector's length.
static Value call(MathBuilder &b, StringRef name, Type result, ValueRange operands) {
  int64_t bits = 32 * cast<VectorType>(b.f32).getNumElements();
  auto intrinsic = b.getStringAttr("llvm.x86.avx512." + name + ".ps." + Twine(bits));
  return LLVM::CallIntrinsicOp::create(b, result, intrinsic, operands).getResult(0);
}

/// 1 / √x with fourteen exact bits.
static Value estimate(MathBuilder &b, Value x) {
  int64_t lanes = cast<VectorType>(b.f32).getNumElements();
  Value all = arith::ConstantIntOp::create(b, -1, std::max<int64_t>(8, lanes));
  return call(b, "rsqrt14", b.f32, {x, b.number(b.f32, 0), all});
}

static void expand(math::SqrtOp op) {
  OpBuilder builder(op);
  MathBuilder b(op.getLoc(), builder, op.getType());
  Value x = op.getOperand(), r = estimate(b, x), half = b.number(b.f32, 0.5);
  // A fused multiply-add, since x − s² would cancel after a rounding.
  auto add = [&](Value from, Value y, Value z) -> Value { return math::FmaOp::create(b, y, z, from); };
  auto subtract = [&](Value from, Value y, Value z) { return add(from, arith::NegFOp::create(b, y), z); };
  Value s = b.make<arith::MulFOp>(x, r), h = b.make<arith::MulFOp>(r, half);
  Value d = subtract(half, s, h);
  s = add(s, s, d);
  h = add(h, h, d);
  Value root = add(s, h, subtract(x, s, s));
  Value kind = arith::ConstantIntOp::create(b, kZeroOrInfinite, 32);
  Value itself = call(b, "fpclass", b.like(b.getI1Type()), {x, kind});
  op.replaceAllUsesWith(b.choose(itself, x, root));
  op.erase();
}

namespace {
struct ExpandRoots : plumb::impl::ExpandRootsPassBase<ExpandRoots> {
  using ExpandRootsPassBase::ExpandRootsPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    if (target->machine.vectorBits < 512)
      return;
    SmallVector<math::SqrtOp> roots;
    getOperation().walk([&](math::SqrtOp op) {
      auto function = op->getParentOfType<func::FuncOp>();
      if (isExpandable(op) && function && isNear(function, *target))
        roots.push_back(op);
    });
    llvm::for_each(roots, expand);
  }
};
} // namespace
