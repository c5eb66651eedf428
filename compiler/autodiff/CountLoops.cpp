// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a `scf.while` that counts a `scf.for`: one whose condition compares a number that it carries with one that it
// does not change, and whose steps add a constant to it. So the number of steps is known before the first of them: a
// gradient's tape has a slot for each (StateTape.h), and nothing is computed again.
// Test: test/compiler/autodiff/count_loops.mlir.

#include "compiler/autodiff/Adjoints.h"
#include "compiler/autodiff/Passes.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/CheckedArithmetic.h"

namespace plumb {
#define GEN_PASS_DEF_COUNTLOOPSPASS
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// What `value` folds to, if that is a constant: nothing has been simplified before the gradients.
static Attribute evaluate(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return {};
  SmallVector<Attribute> operands = llvm::map_to_vector(op->getOperands(), evaluate);
  SmallVector<OpFoldResult> results;
  if (!llvm::all_of(operands, [](Attribute known) { return bool(known); }) || failed(op->fold(operands, results)))
    return {};
  return results.empty() ? Attribute() : dyn_cast<Attribute>(results.front());
}

/// The number that `value`, a tensor without axes, is if that is known.
static std::optional<int64_t> getNumber(Value value) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(evaluate(value));
  if (!elements || elements.getType().getRank() != 0)
    return std::nullopt;
  APInt number = *elements.value_begin<APInt>();
  return number.getSignificantBits() <= 64 ? std::optional(number.getSExtValue()) : std::nullopt;
}

namespace {

/// How a loop counts: `index` goes on by `step` while it is below `bound`, or above it where the step is negative.
struct Counting {
  unsigned index; // Among what the loop carries.
  Value bound;
  bool includesBound;
  int64_t step = 0;
};

} // namespace

/// What `comparison` says of a carried number, if it is one with a number from outside of the loop.
static std::optional<Counting> readComparison(Operation *comparison, scf::WhileOp loop, bool &isBelow) {
  bool less = isa_and_nonnull<net::LessOp, net::LessEqualOp>(comparison);
  if (!less && !isa_and_nonnull<net::GreaterOp, net::GreaterEqualOp>(comparison))
    return std::nullopt;
  bool includesBound = isa<net::LessEqualOp, net::GreaterEqualOp>(comparison);
  for (unsigned side : {0, 1}) {
    auto carried = dyn_cast<BlockArgument>(comparison->getOperand(side));
    Value bound = comparison->getOperand(1 - side);
    bool isOutside = bound.getParentRegion()->isProperAncestor(&loop.getBefore()) || getNumber(bound);
    if (!carried || carried.getOwner() != loop.getBeforeBody() || !isOutside || bound.getType() != carried.getType())
      continue;
    isBelow = less == (side == 0);
    return Counting{carried.getArgNumber(), bound, includesBound};
  }
  return std::nullopt;
}

/// The constant that the steps of `loop` add to the number that it carries at `index`; 0 if they do anything else.
static int64_t findStep(scf::WhileOp loop, unsigned index) {
  Operation *sum = loop.getYieldOp().getOperand(index).getDefiningOp();
  if (!isa_and_nonnull<net::AddOp, net::SubOp>(sum))
    return 0;
  Value left = sum->getOperand(0), right = sum->getOperand(1);
  if (isa<net::AddOp>(sum) && isa<BlockArgument>(right))
    std::swap(left, right);
  auto argument = dyn_cast<BlockArgument>(left);
  bool isCarried = argument && argument.getOwner() == loop.getAfterBody() &&
                   loop.getConditionOp().getArgs()[argument.getArgNumber()] == loop.getBeforeArguments()[index];
  int64_t step = isCarried ? getNumber(right).value_or(0) : 0;
  return isa<net::AddOp>(sum) ? step : -step;
}

/// Whether the condition of `loop` does nothing but compute.
static bool onlyComputes(scf::WhileOp loop) {
  return llvm::all_of(loop.getBeforeBody()->without_terminator(),
                      [](Operation &op) { return isMemoryEffectFree(&op); });
}

static std::optional<Counting> readCounting(scf::WhileOp loop) {
  auto extract = loop.getConditionOp().getCondition().getDefiningOp<tensor::ExtractOp>();
  bool isBelow = false;
  auto counting = extract && extract.getIndices().empty() && onlyComputes(loop)
                      ? readComparison(extract.getTensor().getDefiningOp(), loop, isBelow)
                      : std::nullopt;
  if (!counting)
    return std::nullopt;
  auto type = cast<RankedTensorType>(counting->bound.getType());
  counting->step = findStep(loop, counting->index);
  bool isSigned = type.getElementType().isSignlessInteger() && type.getElementTypeBitWidth() > 1;
  bool goesThere = isBelow ? counting->step > 0 : counting->step < 0;
  return isSigned && goesThere ? counting : std::nullopt;
}

/// The number of steps if both ends are known; none if a number of the type does not reach behind the last.
static std::optional<int64_t> countSteps(const Counting &counting, int64_t start, int64_t bound, unsigned width) {
  auto span = counting.step > 0 ? llvm::checkedSub(bound, start) : llvm::checkedSub(start, bound);
  if (!span || *span >= INT64_MAX - 1)
    return std::nullopt;
  int64_t size = std::abs(counting.step), extent = std::max<int64_t>(*span + counting.includesBound, 0);
  int64_t count = int64_t(llvm::divideCeil(uint64_t(extent), uint64_t(size)));
  auto end = llvm::checkedMulAdd(count, counting.step, start);
  return end && llvm::isIntN(width, *end) ? std::optional(count) : std::nullopt;
}

/// The number in `tensor`, which has no axes.
static Value readIndex(OpBuilder &builder, Location loc, Value tensor) {
  if (auto number = getNumber(tensor))
    return buildIndex(builder, loc, *number);
  Value number = tensor::ExtractOp::create(builder, loc, tensor, ValueRange());
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
}

/// The number of steps, an index: a constant where the ends are known. Null if it cannot be told.
static Value buildCount(OpBuilder &builder, Location loc, const Counting &counting, Value init) {
  auto start = getNumber(init), bound = getNumber(counting.bound);
  unsigned width = cast<RankedTensorType>(init.getType()).getElementTypeBitWidth();
  if (start && bound) {
    auto count = countSteps(counting, *start, *bound, width);
    return count ? buildIndex(builder, loc, *count) : Value();
  }
  Value low = init, high = counting.bound;
  if (counting.step < 0)
    std::swap(low, high);
  // In larger steps, or beyond a bound that is included, a number may run over; so may the distance of wide ones.
  bool fits = width < 64 || getNumber(low).value_or(-1) >= 0;
  if (std::abs(counting.step) != 1 || counting.includesBound || !fits)
    return {};
  low = readIndex(builder, loc, low);
  high = readIndex(builder, loc, high);
  Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, low, high);
  Value span = arith::SubIOp::create(builder, loc, high, low);
  return arith::SelectOp::create(builder, loc, isAny, span, buildIndex(builder, loc, 0));
}

/// What a loop that counts from `init` has come to after `steps` steps.
static Value buildNumber(OpBuilder &builder, Location loc, const Counting &counting, Value init, Value steps) {
  auto type = cast<RankedTensorType>(init.getType());
  Value way = arith::MulIOp::create(builder, loc, steps, buildIndex(builder, loc, counting.step));
  Value number = arith::AddIOp::create(builder, loc, readIndex(builder, loc, init), way);
  number = arith::IndexCastOp::create(builder, loc, type.getElementType(), number);
  return tensor::FromElementsOp::create(builder, loc, type, number);
}

/// Puts the steps of `loop` into a `scf.for`, which carries all but the number.
static void replaceLoop(scf::WhileOp loop, const Counting &counting, Value count) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  Value init = loop.getInits()[counting.index];
  SmallVector<Value> inits(loop.getInits());
  inits.erase(inits.begin() + counting.index);
  Value zero = buildIndex(rewriter, loc, 0), one = buildIndex(rewriter, loc, 1);
  auto counted = scf::ForOp::create(rewriter, loc, zero, count, one, inits);
  ValueRange passed = loop.getConditionOp().getArgs();
  bool isComputed = llvm::any_of(
      passed, [&](Value value) { return value.getDefiningOp() && value.getParentBlock() == loop.getBeforeBody(); });
  // What the condition passes on, given what is carried and the number: also what it computes, or finds outside.
  auto pass = [&](ValueRange carried, Value number) {
    SmallVector<Value> all(carried);
    all.insert(all.begin() + counting.index, number);
    IRMapping map;
    map.map(loop.getBeforeArguments(), all);
    if (isComputed)
      for (Operation &op : loop.getBeforeBody()->without_terminator())
        rewriter.clone(op, map);
    return llvm::map_to_vector(passed, [&](Value value) { return map.lookupOrDefault(value); });
  };

  Block *body = counted.getBody();
  rewriter.setInsertionPointToStart(body);
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  Value number = buildNumber(rewriter, loc, counting, init, counted.getInductionVar());
  scf::YieldOp yield = loop.getYieldOp();
  rewriter.inlineBlockBefore(loop.getAfterBody(), body, body->end(), pass(counted.getRegionIterArgs(), number));
  yield->eraseOperand(counting.index);

  rewriter.setInsertionPointAfter(counted);
  rewriter.replaceOp(loop, pass(counted.getResults(), buildNumber(rewriter, loc, counting, init, count)));
}

namespace {

struct CountLoopsPass : public plumb::impl::CountLoopsPassBase<CountLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      auto counting = readCounting(loop);
      OpBuilder builder(loop);
      Value count =
          counting ? buildCount(builder, loop.getLoc(), *counting, loop.getInits()[counting->index]) : Value();
      if (count)
        replaceLoop(loop, *counting, count);
    }
  }
};

} // namespace
