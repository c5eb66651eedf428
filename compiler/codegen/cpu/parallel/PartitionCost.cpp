// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates cycles of kernels and of their partitions.

#include "compiler/codegen/cpu/parallel/PartitionCost.h"

#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/cpu/analysis/OpFacts.h"
#include "compiler/codegen/cpu/parallel/ChunkFunction.h"
#include "compiler/codegen/cpu/parallel/ChunkOperands.h"
#include "compiler/codegen/cpu/plan/Epilogue.h"
#include "compiler/codegen/cpu/select/KernelPlanner.h"
#include "compiler/support/UsedValues.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// The largest ratio of a kernel's time on two threads to its time on one.
constexpr double kMaxTimeOnTwo = 0.85;
/// The largest ratio of a partitioned kernel's time on one thread to the original's.
constexpr double kMaxTimeOnOne = 1.06;
/// The same ratio for a partitioned sum, whose partial results cost more than the model says.
constexpr double kMaxSumTimeOnOne = 1.03;
constexpr int64_t kMaxChunks = 32;
/// Vectors of which one may be partly used.
constexpr int64_t kManyVectors = 8;
/// The weight of the time on eight threads relative to the time on two.
constexpr double kManyThreads = 0.15;
/// What a loop further inside costs beside the imbalance, where candidates are ordered.
constexpr double kInnerLoopPenalty = 0.02;
/// Partitions whose cycles are estimated per kernel, and per loop.
constexpr unsigned kMaxCandidates = 9, kMaxOfLoop = 3;

namespace {

/// Estimates the partitions of a kernel's sections.
class PartitionCost {
public:
  PartitionCost(func::FuncOp kernel, NoAliasQuery cannotAlias, const CpuTarget &target)
      : kernel(kernel), cannotAlias(cannotAlias), target(target) {}

  KernelSection run(LinalgOps ops);

private:
  std::optional<CostedPartition> getCycles(LinalgOps ops, const KernelPartition &partition, double alone);
  SmallVector<KernelPartition> findCandidates(LinalgOps ops);
  bool breaksLanes(linalg::LinalgOp op, unsigned loop, int64_t length);
  double estimate(LinalgOps ops);
  double estimate(linalg::LinalgOp op);
  double estimateWork(linalg::LinalgOp op);
  double estimateMemory(linalg::LinalgOp op);
  double getCycles(func::FuncOp function);

  func::FuncOp kernel;
  NoAliasQuery cannotAlias;
  const CpuTarget &target;
  /// Bandwidth for the current section's buffers.
  double bytesPerCycle = 0;
};

} // namespace

/// Bytes that move for a buffer of `type`: partly used lines at both ends of each contiguous range count.
static double getMovedBytes(MemRefType type, const MachineModel &machine) {
  SmallVector<int64_t> strides;
  int64_t offset, run = 1, bytes = device::getByteSize(type);
  if (type.getLayout().isIdentity() || failed(type.getStridesAndOffset(strides, offset)))
    return bytes;
  for (unsigned dim = type.getRank(); dim-- > 0 && strides[dim] == run;)
    run *= type.getDimSize(dim);
  double runBytes = double(bytes) * run / type.getNumElements();
  return run == type.getNumElements() ? bytes : bytes * (1 + machine.rangeBytes / runBytes);
}

/// Whether the buffers of `ops` exceed a core's own caches.
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
  return bytes > target.machine.caches.back().bytes();
}

/// Cycles of the arithmetic of `op` on one core at peak rate.
double PartitionCost::estimateWork(linalg::LinalgOp op) {
  double iterations = 1;
  for (int64_t size : op.getStaticLoopRanges())
    iterations *= size;
  double operations = std::max<int64_t>(1, countOperations(op));
  return iterations * operations / (target.machine.fmasPerCycle * target.lanes(32));
}

/// Cycles of the memory traffic of `op`.
double PartitionCost::estimateMemory(linalg::LinalgOp op) {
  double bytes = 0;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      bytes += getMovedBytes(type, target.machine);
  for (Value buffer : getCapturedBuffers(op))
    bytes += getCapturedBytes(op, buffer);
  return bytes / bytesPerCycle;
}

double PartitionCost::estimate(linalg::LinalgOp op) { return std::max(estimateWork(op), estimateMemory(op)); }

double PartitionCost::estimate(LinalgOps ops) {
  double cycles = 0;
  for (linalg::LinalgOp op : ops)
    cycles += estimate(op);
  return cycles;
}

/// Cycles of all operations of a function as they would be emitted. The memory traffic of an epilogue overlaps with the
/// contraction's arithmetic.
double PartitionCost::getCycles(func::FuncOp function) {
  double cycles = 0, work = 0, memory = 0;
  for (auto op : function.front().getOps<linalg::LinalgOp>()) {
    bool follows = op->hasAttr(kernel::kEpilogueName);
    if (!follows) {
      cycles += std::max(work, memory);
      work = memory = 0;
    }
    work += follows ? estimateWork(op)
                    : estimateKernelCycles(op, target).value_or(target.machine.scalarFactor * estimate(op));
    memory += estimateMemory(op);
  }
  return cycles + std::max(work, memory);
}

/// The ratio of the time of the slowest thread to an even share.
static double getImbalance(int64_t chunks, int64_t threads) {
  return double(llvm::divideCeil(chunks, threads) * threads) / chunks;
}

double CostedPartition::getTime() const {
  double two = cycles * getImbalance(partition.chunks, 2) / 2;
  double many = cycles * getImbalance(partition.chunks, 8) / 8;
  return two + remainder + barrier + kManyThreads * (many + remainder);
}

bool KernelSection::hasPlan() const {
  return llvm::any_of(ops, [](linalg::LinalgOp op) { return op->hasAttr(kernel::kPlanName); });
}

double KernelSection::getTime(std::optional<unsigned> partition) const {
  return partition ? partitions[*partition].getTime() : alone * (1 + kManyThreads);
}

/// Whether ranges of `length` along `loop` would leave more than a few vectors partly used.
bool PartitionCost::breaksLanes(linalg::LinalgOp op, unsigned loop, int64_t length) {
  auto along = getAffineDimExpr(loop, op.getContext());
  return length % target.lanes(32) != 0 && length < kManyVectors * target.lanes(32) &&
         llvm::any_of(
             op.getDpsInitsMutable(),
             [&](OpOperand &output) {
               AffineMap map = op.getMatchingIndexingMap(&output);
               return map.getNumResults() != 0 && map.getResult(map.getNumResults() - 1) == along;
             });
}

/// Legal partitions of `ops`, those into few chunks along outer loops first: they keep a thread's data contiguous and
/// the planner's tiles full.
SmallVector<KernelPartition> PartitionCost::findCandidates(LinalgOps ops) {
  unsigned main = 0;
  for (unsigned i = 1; i < ops.size(); ++i)
    if (estimate(ops[i]) > estimate(ops[main]))
      main = i;
  linalg::LinalgOp op = ops[main];
  double cycles = estimate(ops);
  SmallVector<std::pair<double, KernelPartition>> found;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    double most = std::clamp<double>(cycles / target.machine.goodChunkCycles, 2, kMaxChunks);
    size_t before = found.size();
    for (int64_t chunks = 2; chunks <= std::min<double>(most, size) && found.size() < before + kMaxOfLoop; ++chunks) {
      if (size % chunks != 0 || breaksLanes(op, loop, size / chunks))
        continue;
      auto partition = partitionAlong(ops, main, loop, chunks, cannotAlias);
      if (failed(partition))
        partition = partitionSum(ops, main, loop, chunks);
      if (succeeded(partition))
        found.push_back({getImbalance(chunks, 2) + kInnerLoopPenalty * loop, *partition});
    }
  }
  llvm::stable_sort(found, [](const auto &a, const auto &b) { return a.first < b.first; });
  if (found.size() > kMaxCandidates)
    found.resize(kMaxCandidates);
  return llvm::map_to_vector(found, [](const auto &pair) { return pair.second; });
}

/// Whether a part of `type` ends before the next one begins, `step` bytes further on.
static bool isInRows(MemRefType type, int64_t step) { return (getSpan(type) - 1) * getElementBytes(type) < step; }

/// By argument of the kernel: the share of each thread if `part` is the function of a chunk.
static BufferShares getShares(const ChunkFunction &part, int64_t chunks, unsigned arguments) {
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
      share = BufferShare::getHalves(step * chunks, isInRows(type, step));
    shares[whole] = known[whole] && !(shares[whole] == share) ? BufferShare::getBoth() : share;
    known[whole] = true;
  }
  return shares;
}

/// The partition with its cycles, if it is enough faster than the kernel on one thread when there are two, and costs
/// little when there is one.
std::optional<CostedPartition> PartitionCost::getCycles(LinalgOps ops, const KernelPartition &partition, double alone) {
  CostedPartition costed;
  costed.partition = partition;
  costed.barrier = target.machine.barrierCycles;
  ChunkFunction part = buildChunkFunction(kernel, ops, partition);
  llvm::scope_exit erase([&] { part.function.erase(); });
  SmallVector<linalg::LinalgOp> chunk(part.function.front().getOps<linalg::LinalgOp>());
  // The planner would assume that the operands of a small chunk are in the caches already.
  if (partition.sum && isFar(ops, target) && !isFar(chunk, target))
    return std::nullopt;
  costed.cycles = (getCycles(part.function) + target.machine.chunkCallCycles) * partition.chunks;
  costed.shares = getShares(part, partition.chunks, kernel.getNumArguments());
  if (partition.sum) {
    ChunkFunction remainder = buildSumFunction(kernel, ops, partition);
    int64_t bytes = device::getByteSize(getPartialsType(ops, partition));
    costed.remainder =
        getCycles(remainder.function) + costed.barrier + SharingModel::getMoveCycles(bytes, target.machine);
    remainder.function.erase();
  }
  double two = costed.cycles * getImbalance(partition.chunks, 2) / 2 + costed.remainder;
  double most = (partition.sum ? kMaxSumTimeOnOne : kMaxTimeOnOne) * alone + costed.barrier;
  if (costed.cycles + costed.remainder > most || two > kMaxTimeOnTwo * alone)
    return std::nullopt;
  return costed;
}

KernelSection PartitionCost::run(LinalgOps ops) {
  KernelSection section;
  section.ops = ops;
  bytesPerCycle = isFar(ops, target) ? target.machine.memoryBytesPerCycle : target.machine.l2BytesPerCycle;
  if (estimate(ops) < target.machine.minPartitionedCycles)
    return section;
  ChunkFunction whole = buildChunkFunction(kernel, ops, KernelPartition());
  section.alone = getCycles(whole.function);
  whole.function.erase();
  if (section.hasPlan())
    return section;
  for (const KernelPartition &partition : findCandidates(ops))
    if (auto costed = getCycles(ops, partition, section.alone))
      section.partitions.push_back(*costed);
  return section;
}

KernelSection plumb::estimatePartitions(func::FuncOp kernel, LinalgOps ops, NoAliasQuery cannotAlias,
                                        const CpuTarget &target) {
  return PartitionCost(kernel, cannotAlias, target).run(ops);
}
