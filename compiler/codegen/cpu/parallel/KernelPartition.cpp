// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the rules stated in the header.

#include "compiler/codegen/cpu/parallel/KernelPartition.h"

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/codegen/cpu/analysis/OpFacts.h"
#include "compiler/codegen/cpu/parallel/ChunkOperands.h"
#include "compiler/support/UsedValues.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

bool plumb::cannotAliasInAny(ArrayRef<func::CallOp> calls, unsigned a, unsigned b) {
  return llvm::all_of(calls, [&](func::CallOp call) { return cannotAlias(call.getOperand(a), call.getOperand(b)); });
}

/// Whether `op` may be partitioned along `loop`, of iterator type `type`, into equal ranges.
static bool canPartition(linalg::LinalgOp op, unsigned loop, int64_t chunks,
                         utils::IteratorType type = utils::IteratorType::parallel) {
  if (op.getIteratorTypesArray()[loop] != type || op.getStaticLoopRanges()[loop] % chunks != 0)
    return false;
  WalkResult asks = op->walk(
      [&](linalg::IndexOp index) { return index.getDim() == loop ? WalkResult::interrupt() : WalkResult::advance(); });
  return !asks.wasInterrupted();
}

/// The loop of `op` along the buffer dimension that `loop` of `other` enumerates, where one of them writes the buffer;
/// failure where they share no such buffer.
static FailureOr<unsigned> followLoop(linalg::LinalgOp op, linalg::LinalgOp other, unsigned loop) {
  for (OpOperand &theirs : other->getOpOperands())
    for (OpOperand &ours : op->getOpOperands()) {
      if (ours.get() != theirs.get() || !isa<MemRefType>(ours.get().getType()) ||
          (!op.isDpsInit(&ours) && !other.isDpsInit(&theirs)))
        continue;
      AffineMap from = other.getMatchingIndexingMap(&theirs);
      AffineMap to = op.getMatchingIndexingMap(&ours);
      auto dim = from.getResultPosition(getAffineDimExpr(loop, op.getContext()));
      if (!dim)
        return failure();
      auto found = dyn_cast<AffineDimExpr>(to.getResult(*dim));
      if (!found)
        return failure();
      return found.getPosition();
    }
  return failure();
}

/// Finds the loop of each operation, from `main` outwards. An operation without shared buffers is partitioned along any
/// loop that is long enough.
static FailureOr<KernelPartition> findLoops(LinalgOps ops, unsigned main, unsigned loop, int64_t chunks) {
  SmallVector<std::optional<unsigned>> loops(ops.size());
  loops[main] = loop;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned known = 0; known < ops.size(); ++known)
      for (unsigned next = 0; loops[known] && next < ops.size(); ++next) {
        if (loops[next])
          continue;
        auto found = followLoop(ops[next], ops[known], *loops[known]);
        if (failed(found))
          continue;
        loops[next] = *found;
        changed = true;
      }
  }
  KernelPartition partition;
  partition.chunks = chunks;
  for (auto [number, known] : llvm::enumerate(loops)) {
    linalg::LinalgOp op = ops[number];
    for (unsigned any = 0; !known && any < op.getNumLoops(); ++any)
      if (canPartition(op, any, chunks))
        known = any;
    if (!known || !canPartition(op, *known, chunks))
      return failure();
    partition.loops.push_back(*known);
  }
  return partition;
}

/// Whether every buffer that `op` captures is an argument that aliases none of `written`.
static bool capturesUnwritten(linalg::LinalgOp op, ArrayRef<BlockArgument> written, NoAliasQuery cannotAlias) {
  return llvm::all_of(getCapturedBuffers(op), [&](Value buffer) {
    BlockArgument argument = getKernelArgument(buffer);
    return argument && llvm::all_of(written, [&](BlockArgument other) {
             return argument != other && cannotAlias(other.getArgNumber(), argument.getArgNumber());
           });
  });
}

/// Checks the rules for written buffers.
static bool isLegal(LinalgOps ops, const KernelPartition &partition, NoAliasQuery cannotAlias) {
  llvm::MapVector<Value, ChunkOperand> written;
  SmallVector<BlockArgument> arguments;
  for (auto [number, loop] : llvm::enumerate(partition.loops)) {
    linalg::LinalgOp op = ops[number];
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      auto part = getPart(op, operand, loop, partition.chunks);
      if (failed(part) || !part->isOwn || !getKernelArgument(operand.get()))
        return false;
      written.insert({operand.get(), *part});
      arguments.push_back(getKernelArgument(operand.get()));
    }
  }
  for (auto [number, loop] : llvm::enumerate(partition.loops)) {
    linalg::LinalgOp op = ops[number];
    if (!capturesUnwritten(op, arguments, cannotAlias))
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto part = getPart(op, operand, loop, partition.chunks);
      if (failed(part))
        return false;
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      BlockArgument argument = getKernelArgument(operand.get());
      if (!argument)
        return false;
      for (auto &[buffer, whole] : written) {
        bool isSame = buffer == operand.get();
        if (isSame ? !(*part == whole)
                   : !cannotAlias(getKernelArgument(buffer).getArgNumber(), argument.getArgNumber()))
          return false;
      }
    }
  }
  return true;
}

FailureOr<KernelPartition> plumb::partitionAlong(LinalgOps ops, unsigned main, unsigned loop, int64_t chunks,
                                                 NoAliasQuery cannotAlias) {
  if (!canPartition(ops[main], loop, chunks))
    return failure();
  FailureOr<KernelPartition> partition = findLoops(ops, main, loop, chunks);
  if (failed(partition) || !isLegal(ops, *partition, cannotAlias))
    return failure();
  return partition;
}

/// Whether `op` adds values to its only result, whose elements it enumerates in order.
static bool isSum(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  std::optional<CombiningKinds> kinds = getReductionKinds(op);
  return kinds && kinds->front() == vector::CombiningKind::ADD && isa<FloatType>(type.getElementType()) &&
         type.getRank() > 0 && type.getLayout().isIdentity() && map.isProjectedPermutation() &&
         map.getNumResults() == op.getNumParallelLoops();
}

FailureOr<KernelPartition> plumb::partitionSum(LinalgOps ops, unsigned sum, unsigned loop, int64_t chunks) {
  linalg::LinalgOp op = ops[sum];
  if (!canPartition(op, loop, chunks, utils::IteratorType::reduction) || !isSum(op))
    return failure();
  Value result = op.getDpsInits()[0];
  // Fills of the result run in the function after the chunks.
  for (linalg::LinalgOp before : ops.take_front(sum))
    if (!isa<linalg::FillOp>(before) || before.getDpsInits()[0] != result)
      return failure();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<MemRefType>(input->get().getType()))
      continue;
    BlockArgument argument = getKernelArgument(input->get());
    if (!argument || argument == getKernelArgument(result) || failed(getPart(op, *input, loop, chunks)))
      return failure();
  }
  // Chunks write partial results only, which alias nothing.
  if (!capturesUnwritten(op, getKernelArgument(result), [](unsigned, unsigned) { return true; }))
    return failure();
  KernelPartition partition;
  partition.chunks = chunks;
  partition.loops.assign(ops.size(), loop);
  partition.sum = sum;
  return partition;
}
