// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers as arithmetic on the element's number: Philox2x32-10 (Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3", 2011), a cipher of ten rounds with one wide product each. No element waits for another, so the numbers
// vectorise like any elementwise work and need no state but the counter.

#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace plumb::net {

constexpr uint32_t kMultiplier = 0xD256D193;
constexpr uint32_t kKeyStep = 0x9E3779B9;
constexpr unsigned kRounds = 10;
constexpr unsigned kMantissa = 24;

static Value word(ScalarBuilder &s, uint64_t value, unsigned bits) {
  return arith::ConstantOp::create(s, s.getIntegerAttr(s.getIntegerType(bits), APInt(bits, value)));
}

/// The number of the element at hand in row-major order.
static Value elementNumber(ScalarBuilder &s, ArrayRef<int64_t> shape) {
  Value number = word(s, 0, 32);
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    Value at = arith::IndexCastOp::create(s, s.getI32Type(), linalg::IndexOp::create(s, dim));
    number = s.add(s.mul(number, word(s, static_cast<uint32_t>(extent), 32)), at);
  }
  return number;
}

/// One block of the cipher; returns its first word.
static Value philox(ScalarBuilder &s, Value left, Value right, Value key) {
  Type narrow = s.getI32Type(), wide = s.getI64Type();
  for (unsigned round = 0; round < kRounds; ++round) {
    Value product = s.mul(arith::ExtUIOp::create(s, wide, left), word(s, kMultiplier, 64));
    Value high = arith::TruncIOp::create(s, narrow, arith::ShRUIOp::create(s, product, word(s, 32, 64)));
    left = arith::XOrIOp::create(s, arith::XOrIOp::create(s, high, key), right);
    right = arith::TruncIOp::create(s, narrow, product);
    key = s.add(key, word(s, kKeyStep, 32));
  }
  return left;
}

LoweredValues RandomUniformOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  auto body = [&](ScalarBuilder &s, ValueRange v) {
    Value bits = philox(s, elementNumber(s, getType().getShape()), v[1], v[0]);
    bits = arith::ShRUIOp::create(s, bits, word(s, 32 - kMantissa, 32));
    Value number = arith::SIToFPOp::create(s, s.getF32Type(), bits);
    return SmallVector<Value>{s.mul(number, s.number(s.getF32Type(), 1.0 / (1 << kMantissa)))};
  };
  unsigned rank = getType().getRank();
  AffineMap none = b.map(rank, {});
  return b.generic(operands, b.empty(getType()), {none, none, b.getMultiDimIdentityMap(rank)}, body);
}

} // namespace plumb::net
