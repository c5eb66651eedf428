// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands maxima, which are NaN where an operand is NaN. x86 has an instruction for a > b ? a : b only, so each maximum
// needs a check of its operand for NaN and a select besides. In a chain of maxima, such as the elements of a pooling
// window, operands are checked in pairs:
//
//   max(a, max(b, c))  →  m = a > b ? a : b,  m = m > c ? m : c
//                         m, or NaN where a, b or c, c compare as unordered
//
// Covered by expand_maxima.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/target/FindTarget.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace plumb {
#define GEN_PASS_DEF_EXPANDMAXIMAPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// A chain of maxima, or of minima.
template <typename Op> class Chain {
public:
  explicit Chain(Op last) : last(last) { collect(last); }

  /// Whether `op` is the last link of its chain.
  static bool isLast(Op op) { return !op->hasOneUse() || !isLink(cast<Op>(op), *op->user_begin()); }
  static bool isExpandable(Op op);
  void expand();

private:
  static bool isLink(Op op, Operation *user) {
    auto next = dyn_cast<Op>(user);
    return next && isExpandable(next) && next.getType() == op.getType();
  }
  void collect(Op op);
  void add(Value operand);
  Value findNaN(ImplicitLocOpBuilder &b);

  Op last;
  /// Operands, and constants other than NaN.
  SmallVector<Value> values, numbers;
};

} // namespace

/// Expands vectors of floats for which zeros of both signs are equal.
template <typename Op> bool Chain<Op>::isExpandable(Op op) {
  auto type = dyn_cast<VectorType>(op.getType());
  return type && (type.getElementType().isF32() || type.getElementType().isF64()) &&
         bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::nsz);
}

/// The constant in all lanes of `value`, if it is one.
static std::optional<APFloat> findNumber(Value value) {
  if (auto spread = value.getDefiningOp<vector::BroadcastOp>())
    value = spread.getSource();
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return splat.getSplatValue<APFloat>();
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValue();
  return std::nullopt;
}

/// Adds an operand that is not a link, unless it cannot change the maximum.
template <typename Op> void Chain<Op>::add(Value operand) {
  std::optional<APFloat> number = findNumber(operand);
  if (!number || number->isNaN())
    return values.push_back(operand);
  bool isNeutral = number->isInfinity() && number->isNegative() == std::is_same_v<Op, arith::MaximumFOp>;
  bool isKnown = llvm::any_of(numbers, [&](Value other) { return *findNumber(other) == *number; });
  if (!isNeutral && !isKnown)
    numbers.push_back(operand);
}

template <typename Op> void Chain<Op>::collect(Op op) {
  for (Value operand : op->getOperands()) {
    auto link = operand.getDefiningOp<Op>();
    if (link && link->hasOneUse() && isExpandable(link))
      collect(link);
    else
      add(operand);
  }
}

/// The lanes in which some operand is NaN.
template <typename Op> Value Chain<Op>::findNaN(ImplicitLocOpBuilder &b) {
  Value isNaN;
  for (unsigned first = 0; first < values.size(); first += 2) {
    Value other = values[std::min<unsigned>(first + 1, values.size() - 1)];
    Value found = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, values[first], other);
    isNaN = isNaN ? arith::OrIOp::create(b, isNaN, found).getResult() : found;
  }
  return isNaN;
}

template <typename Op> void Chain<Op>::expand() {
  // A maximum with a constant is one instruction.
  if (values.size() < 2)
    return;
  ImplicitLocOpBuilder b(last.getLoc(), last);
  auto before = std::is_same_v<Op, arith::MaximumFOp> ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value most = values.front();
  for (Value value : llvm::concat<Value>(MutableArrayRef(values).drop_front(), numbers))
    most = arith::SelectOp::create(b, arith::CmpFOp::create(b, before, most, value), most, value);
  // All ones are a NaN, which one instruction inserts.
  auto type = cast<VectorType>(last.getType());
  auto bits = VectorType::get(type.getShape(), b.getIntegerType(type.getElementTypeBitWidth()));
  Value ones =
      arith::ConstantOp::create(b, DenseElementsAttr::get(bits, APInt::getAllOnes(type.getElementTypeBitWidth())));
  Value plain = arith::BitcastOp::create(b, bits, most);
  Value chosen = arith::SelectOp::create(b, findNaN(b), ones, plain);
  last.replaceAllUsesWith(arith::BitcastOp::create(b, type, chosen).getResult());
}

/// Expands all chains of one kind. Other links become dead.
template <typename Op> static void expandAll(ModuleOp module) {
  SmallVector<Op> ends;
  module.walk([&](Op op) {
    if (Chain<Op>::isExpandable(op) && Chain<Op>::isLast(op))
      ends.push_back(op);
  });
  for (Op op : ends)
    Chain<Op>(op).expand();
}

namespace {
struct ExpandMaxima : plumb::impl::ExpandMaximaPassBase<ExpandMaxima> {
  using ExpandMaximaPassBase::ExpandMaximaPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    if (target->hasMaximum)
      return;
    expandAll<arith::MaximumFOp>(getOperation());
    expandAll<arith::MinimumFOp>(getOperation());
  }
};
} // namespace
