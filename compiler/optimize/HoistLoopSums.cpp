// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes sums of products out of loops. The gradient of a weight that each step of a loop uses is a sum over the steps
// of products, short ones of a large result, and each moves the whole sum in and out of a cache. The factors are kept,
// a row for each step, and one product behind the loop sums over the steps, too:
//
//   for t: sum += a(t)ᵀ b(t)     ->     for t: as[t] = a(t); bs[t] = b(t)
//                                       sum += asᵀ bs
//
// Only where a step's factors are smaller than the sum, and as far as memory reaches.
// Test: test/compiler/optimize/hoist_loop_sums.mlir.

#include "compiler/optimize/Passes.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

namespace plumb {
#define GEN_PASS_DEF_HOISTLOOPSUMSPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The memory that the factors of one loop may take.
static constexpr int64_t kMaxBytes = int64_t(1) << 27;

namespace {

/// What a loop carries at `number`: a sum of products over its steps.
struct LoopSum {
  unsigned number;
  net::MatmulOp product;
};

/// One factor of such products, and how it is kept.
struct Factor {
  Value value;
  int64_t axis; // The one that is summed over; the steps stand before it.

  RankedTensorType getType() const { return cast<RankedTensorType>(value.getType()); }
  int64_t getElements() const { return getType().getNumElements(); }

  /// The type of the tensor that keeps those of `count` steps.
  RankedTensorType getKeptType(int64_t count) const {
    SmallVector<int64_t> shape(getType().getShape());
    shape.insert(shape.begin() + axis, count);
    return getType().clone(shape);
  }

  /// The factors of all steps, one behind the other.
  Value join(OpBuilder &builder, Location loc, Value kept, int64_t count) const {
    SmallVector<int64_t> shape(getType().getShape());
    shape[axis] *= count;
    return net::ReshapeOp::create(builder, loc, kept, builder.getDenseI64ArrayAttr(shape));
  }
};

} // namespace

static std::array<Factor, 2> getFactors(net::MatmulOp product) {
  return {Factor{product.getA(), product.getTransposeA() ? 0 : 1},
          Factor{product.getB(), product.getTransposeB() ? 1 : 0}};
}

/// The number of steps of `loop` if it counts them from 0 to a constant.
static std::optional<int64_t> countSteps(scf::ForOp loop) {
  bool fromZero = isConstantIntValue(loop.getLowerBound(), 0) && isConstantIntValue(loop.getStep(), 1);
  auto count = fromZero ? getConstantIntValue(loop.getUpperBound()) : std::nullopt;
  return count && *count > 1 ? count : std::nullopt;
}

/// The product that each step of `loop` adds to what it carries at `number`, if that is all that is done with it.
static net::MatmulOp findProduct(scf::ForOp loop, unsigned number) {
  BlockArgument argument = loop.getRegionIterArg(number);
  auto sum = loop.getYieldedValues()[number].getDefiningOp<net::AddOp>();
  if (!sum || !argument.hasOneUse() || *argument.user_begin() != sum || !sum->hasOneUse())
    return nullptr;
  Value added = sum.getX() == argument ? sum.getY() : sum.getX();
  auto product = added.getDefiningOp<net::MatmulOp>();
  bool isOfStep = product && product->getBlock() == loop.getBody() && product->hasOneUse();
  return isOfStep && product.getType() == argument.getType() ? product : nullptr;
}

/// Whether keeping the factors of `product` moves less memory than summing it, and both change in each step.
static bool isWorthHoisting(scf::ForOp loop, net::MatmulOp product) {
  int64_t elements = 0;
  for (const Factor &factor : getFactors(product)) {
    if (factor.getType().getRank() != 2 || loop.isDefinedOutsideOfLoop(factor.value))
      return false;
    elements += factor.getElements();
  }
  return elements < cast<RankedTensorType>(product.getType()).getNumElements();
}

static int64_t countBytes(net::MatmulOp product, int64_t count) {
  int64_t bytes = 0;
  for (const Factor &factor : getFactors(product))
    bytes += count * factor.getElements() * llvm::divideCeil(factor.getType().getElementTypeBitWidth(), 8);
  return bytes;
}

static SmallVector<LoopSum> findSums(scf::ForOp loop, int64_t count) {
  SmallVector<LoopSum> sums;
  int64_t left = kMaxBytes;
  for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number) {
    net::MatmulOp product = findProduct(loop, number);
    int64_t bytes = product && isWorthHoisting(loop, product) ? countBytes(product, count) : left + 1;
    if (bytes > left)
      continue;
    left -= bytes;
    sums.push_back({number, product});
  }
  return sums;
}

/// Makes `loop` keep the factors of `sums`, which it stops summing; the tensors that it starts with go before it.
static scf::ForOp keepFactors(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<LoopSum> sums, int64_t count) {
  SmallVector<Value> empty;
  for (const LoopSum &sum : sums)
    for (const Factor &factor : getFactors(sum.product)) {
      RankedTensorType type = factor.getKeptType(count);
      empty.push_back(tensor::EmptyOp::create(rewriter, loop.getLoc(), type.getShape(), type.getElementType()));
    }
  auto store = [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> kept) {
    SmallVector<Value> stored;
    for (const LoopSum &sum : sums)
      for (const Factor &factor : getFactors(sum.product))
        stored.push_back(net::RowUpdateOp::create(builder, loc, factor.value, kept[stored.size()],
                                                  loop.getInductionVar(), factor.axis));
    return stored;
  };
  auto keeping = cast<scf::ForOp>(*cast<LoopLikeOpInterface>(*loop).replaceWithAdditionalYields(
      rewriter, empty, /*replaceInitOperandUses=*/false, store));
  for (const LoopSum &sum : sums)
    (*keeping.getYieldedValuesMutable())[sum.number].set(keeping.getRegionIterArg(sum.number));
  return keeping;
}

/// The sum of all products and of what the loop has started with.
static Value buildSum(OpBuilder &builder, LoopSum sum, Value init, ValueRange kept, int64_t count) {
  Location loc = sum.product.getLoc();
  auto factors = getFactors(sum.product);
  Value a = factors[0].join(builder, loc, kept[0], count), b = factors[1].join(builder, loc, kept[1], count);
  Value product = net::MatmulOp::create(builder, loc, a, b, sum.product.getTransposeA(), sum.product.getTransposeB());
  return matchPattern(init, m_AnyZeroFloat()) ? product : net::AddOp::create(builder, loc, init, product);
}

static void hoistSums(scf::ForOp loop) {
  auto count = countSteps(loop);
  SmallVector<LoopSum> sums = count ? findSums(loop, *count) : SmallVector<LoopSum>();
  if (sums.empty())
    return;
  IRRewriter rewriter(loop);
  unsigned numStates = loop.getNumResults();
  scf::ForOp keeping = keepFactors(rewriter, loop, sums, *count);
  rewriter.setInsertionPointAfter(keeping);
  for (auto [number, sum] : llvm::enumerate(sums)) {
    ValueRange kept = keeping.getResults().slice(numStates + 2 * number, 2);
    Value total = buildSum(rewriter, sum, keeping.getInitArgs()[sum.number], kept, *count);
    rewriter.replaceAllUsesWith(keeping.getResult(sum.number), total);
  }
}

namespace {

struct HoistLoopSumsPass : public plumb::impl::HoistLoopSumsPassBase<HoistLoopSumsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    llvm::for_each(loops, hoistSums);
  }
};

} // namespace
