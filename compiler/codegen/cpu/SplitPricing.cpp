// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From cuts to cycles.

#include "compiler/codegen/cpu/SplitPricing.h"

#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/cpu/BufferParts.h"
#include "compiler/codegen/cpu/Epilogue.h"
#include "compiler/codegen/cpu/GrainFunction.h"
#include "compiler/codegen/cpu/KernelPlanner.h"
#include "compiler/codegen/cpu/VectorBody.h"
#include "compiler/codegen/cpu/VectorMemory.h"
#include "compiler/support/UsedValues.h"

#include "dialects/device/ir/Device.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Kernels below this many cycles stay whole, as going on to the next stage takes
/// these.
constexpr double kLeastKernel = 6000, kStageCycles = 700;
/// More than two grains are not smaller than that: what is held in registers, and
/// in the nearest cache, serves less work in a small one.
constexpr double kGoodGrain = 50000;
/// Part of its time on one thread that a kernel may take on two.
constexpr double kLeastGain = 0.85;
/// Cycles of a grain's call, and what cutting may cost one thread.
constexpr double kGrainCycles = 60;
constexpr double kMostLoss = 1.06;
/// What it may cost to cut a sum: partial results cost more than their prices say.
constexpr double kMostSumLoss = 1.03;
constexpr int64_t kMostGrains = 32;
/// Bytes that a core moves in a cycle when data come from its second cache, and when
/// they come from farther away.
constexpr double kBytesPerCycle = 16, kFarBytesPerCycle = 5;
/// Bytes that are moved for nothing beside each stretch of memory that is used.
constexpr double kApartBytes = 192;
/// Vectors of which one may be not full.
constexpr int64_t kManyVectors = 8;
/// What eight threads count beside two.
constexpr double kManyThreads = 0.15;
/// Cuts that are priced for one kernel, and for one of its loops.
constexpr unsigned kMostCandidates = 9, kMostOfLoop = 3;

namespace {

/// Prices pieces of one kernel.
class SplitPricing {
public:
  SplitPricing(func::FuncOp kernel, AreApart areApart, const CpuTarget &target)
      : kernel(kernel), areApart(areApart), target(target) {}

  KernelPiece run(LinalgOps ops);

private:
  std::optional<PricedSplit> price(LinalgOps ops, const KernelSplit &split,
                                   double alone);
  SmallVector<KernelSplit> findCandidates(LinalgOps ops);
  bool breaksLanes(linalg::LinalgOp op, unsigned loop, int64_t length);
  double estimate(LinalgOps ops);
  double estimate(linalg::LinalgOp op);
  double estimateWork(linalg::LinalgOp op);
  double estimateMemory(linalg::LinalgOp op);
  double price(func::FuncOp function);

  func::FuncOp kernel;
  AreApart areApart;
  const CpuTarget &target;
  /// Of what the operations in hand touch as a whole.
  double bytesPerCycle = kBytesPerCycle;
};

} // namespace

/// Bytes of `type`, more where they lie apart: whole lines are moved, and the more of
/// them for nothing the shorter what follows each other is.
static double getMovedBytes(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, run = 1, bytes = device::getByteSize(type);
  if (type.getLayout().isIdentity() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return bytes;
  for (unsigned dim = type.getRank(); dim-- > 0 && strides[dim] == run;)
    run *= type.getDimSize(dim);
  double runBytes = double(bytes) * run / type.getNumElements();
  return run == type.getNumElements() ? bytes
                                      : bytes * (1 + kApartBytes / runBytes);
}

/// Whether what `ops` touch as a whole is more than a core's own caches hold.
static bool isFar(LinalgOps ops, const CpuTarget &target) {
  llvm::SmallDenseSet<Value> buffers;
  int64_t bytes = 0;
  for (linalg::LinalgOp op : ops) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && buffers.insert(operand).second)
        bytes += device::getByteSize(cast<MemRefType>(operand.getType()));
    for (Value buffer : getCapturedBuffers(op))
      if (buffers.insert(buffer).second)
        bytes += getCapturedBytes(op, buffer);
  }
  return bytes > target.caches.back().bytes();
}

/// Cycles of the arithmetic of `op` on one core if nothing goes wrong.
double SplitPricing::estimateWork(linalg::LinalgOp op) {
  double iterations = 1;
  for (int64_t size : op.getStaticLoopRanges())
    iterations *= size;
  double operations = std::max<int64_t>(1, VectorBody::countOperations(op));
  return iterations * operations / (2 * target.lanes(32));
}

/// Cycles until what `op` touches has come.
double SplitPricing::estimateMemory(linalg::LinalgOp op) {
  double bytes = 0;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      bytes += getMovedBytes(type);
  for (Value buffer : getCapturedBuffers(op))
    bytes += getCapturedBytes(op, buffer);
  return bytes / bytesPerCycle;
}

double SplitPricing::estimate(linalg::LinalgOp op) {
  return std::max(estimateWork(op), estimateMemory(op));
}

double SplitPricing::estimate(LinalgOps ops) {
  double cycles = 0;
  for (linalg::LinalgOp op : ops)
    cycles += estimate(op);
  return cycles;
}

/// Cycles of all operations of a function as they would be emitted. What follows a
/// product in its end waits for memory while the product works.
double SplitPricing::price(func::FuncOp function) {
  double cycles = 0, work = 0, memory = 0;
  for (auto op : function.front().getOps<linalg::LinalgOp>()) {
    bool follows = op->hasAttr(kEpilogueMark);
    if (!follows) {
      cycles += std::max(work, memory);
      work = memory = 0;
    }
    work += follows ? estimateWork(op)
                    : priceKernel(op, target).value_or(8 * estimate(op));
    memory += estimateMemory(op);
  }
  return cycles + std::max(work, memory);
}

/// What is lost to threads that wait for the last ones: time of the whole over
/// that of an even share.
static double getImbalance(int64_t grains, int64_t threads) {
  return double(llvm::divideCeil(grains, threads) * threads) / grains;
}

double PricedSplit::getTime() const {
  double two = cycles * getImbalance(split.grains, 2) / 2;
  double many = cycles * getImbalance(split.grains, 8) / 8;
  return two + rest + kStageCycles + kManyThreads * (many + rest);
}

double KernelPiece::getTime(std::optional<unsigned> split) const {
  return split ? splits[*split].getTime() : alone * (1 + kManyThreads);
}

/// Whether a cut of `loop` into ranges of `length` would leave vectors along it
/// that are not full, and more than a few of them.
bool SplitPricing::breaksLanes(linalg::LinalgOp op, unsigned loop, int64_t length) {
  auto along = getAffineDimExpr(loop, op.getContext());
  return length % target.lanes(32) != 0 &&
         length < kManyVectors * target.lanes(32) &&
         llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
           AffineMap map = op.getMatchingIndexingMap(&output);
           return map.getNumResults() != 0 &&
                  map.getResult(map.getNumResults() - 1) == along;
         });
}

/// Legal cuts of `ops`, coarse ones along outer loops first: they keep a thread's
/// data together and the planner's tiles whole.
SmallVector<KernelSplit> SplitPricing::findCandidates(LinalgOps ops) {
  unsigned main = 0;
  for (unsigned i = 1; i < ops.size(); ++i)
    if (estimate(ops[i]) > estimate(ops[main]))
      main = i;
  linalg::LinalgOp op = ops[main];
  double cycles = estimate(ops);
  SmallVector<std::pair<double, KernelSplit>> found;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    double most = std::clamp<double>(cycles / kGoodGrain, 2, kMostGrains);
    size_t before = found.size();
    for (int64_t grains = 2; grains <= std::min<double>(most, size) &&
                             found.size() < before + kMostOfLoop;
         ++grains) {
      if (size % grains != 0 || breaksLanes(op, loop, size / grains))
        continue;
      auto split = splitAlong(ops, main, loop, grains, areApart);
      if (failed(split))
        split = splitSum(ops, main, loop, grains);
      if (succeeded(split))
        found.push_back({getImbalance(grains, 2) + 0.02 * loop, *split});
    }
  }
  llvm::stable_sort(found, [](const auto &a, const auto &b) {
    return a.first < b.first;
  });
  if (found.size() > kMostCandidates)
    found.resize(kMostCandidates);
  return llvm::map_to_vector(found, [](const auto &pair) { return pair.second; });
}

/// Whether a part of `type` ends before the next one begins, `step` bytes further on.
static bool isInRows(MemRefType type, int64_t step) {
  return (getSpan(type) - 1) * getElementBytes(type) < step;
}

/// Who touches which argument of a kernel with `arguments` of them if `part` is its
/// grain.
static BufferShares getShares(const GrainFunction &part, int64_t grains,
                              unsigned arguments) {
  BufferShares shares(arguments);
  SmallVector<bool> known(arguments);
  func::FuncOp function = part.function;
  for (auto [number, whole] : llvm::enumerate(part.arguments)) {
    auto type = dyn_cast<MemRefType>(function.getArgument(number).getType());
    if (whole == arguments || !type)
      continue;
    int64_t step = part.steps[number];
    BufferShare share = BufferShare::getBoth();
    if (step != 0)
      share = BufferShare::getHalves(step * grains, isInRows(type, step));
    shares[whole] = known[whole] && !(shares[whole] == share) ? BufferShare::getBoth() : share;
    known[whole] = true;
  }
  return shares;
}

/// The cut with its price, if it beats the whole kernel on one thread by enough when
/// there are two. One thread must not pay for the others.
std::optional<PricedSplit> SplitPricing::price(LinalgOps ops, const KernelSplit &split,
                                               double alone) {
  PricedSplit priced;
  priced.split = split;
  GrainFunction part = buildGrainFunction(kernel, ops, split);
  llvm::scope_exit erase([&] { part.function.erase(); });
  SmallVector<linalg::LinalgOp> grain(part.function.front().getOps<linalg::LinalgOp>());
  // The planner would take a near grain for one whose data are there already.
  if (split.sum && isFar(ops, target) && !isFar(grain, target))
    return std::nullopt;
  priced.cycles = (price(part.function) + kGrainCycles) * split.grains;
  priced.shares = getShares(part, split.grains, kernel.getNumArguments());
  if (split.sum) {
    GrainFunction rest = buildSumFunction(kernel, ops, split);
    int64_t bytes = device::getByteSize(getPartialsType(ops, split));
    priced.rest = price(rest.function) + kStageCycles +
                  SharingModel::getMoveCycles(bytes);
    rest.function.erase();
  }
  double two = priced.cycles * getImbalance(split.grains, 2) / 2 + priced.rest;
  double most = (split.sum ? kMostSumLoss : kMostLoss) * alone + kStageCycles;
  if (priced.cycles + priced.rest > most || two > kLeastGain * alone)
    return std::nullopt;
  return priced;
}

KernelPiece SplitPricing::run(LinalgOps ops) {
  KernelPiece piece;
  piece.ops = ops;
  bytesPerCycle = isFar(ops, target) ? kFarBytesPerCycle : kBytesPerCycle;
  if (estimate(ops) < kLeastKernel)
    return piece;
  GrainFunction whole = buildGrainFunction(kernel, ops, KernelSplit());
  piece.alone = price(whole.function);
  whole.function.erase();
  for (const KernelSplit &split : findCandidates(ops))
    if (auto priced = price(ops, split, piece.alone))
      piece.splits.push_back(*priced);
  return piece;
}

KernelPiece plumb::priceSplits(func::FuncOp kernel, LinalgOps ops,
                               AreApart areApart, const CpuTarget &target) {
  return SplitPricing(kernel, areApart, target).run(ops);
}
