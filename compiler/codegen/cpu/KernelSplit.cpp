// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the header.

#include "compiler/codegen/cpu/KernelSplit.h"

#include "compiler/codegen/common/Places.h"
#include "compiler/codegen/cpu/BufferParts.h"
#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/support/UsedValues.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

bool plumb::areApartInAll(ArrayRef<func::CallOp> calls, unsigned a, unsigned b) {
  return llvm::all_of(calls, [&](func::CallOp call) {
    return areApart(call.getOperand(a), call.getOperand(b));
  });
}

/// Whether `op` may be cut along `loop`, of type `type`, into `grains` equal ranges.
static bool canCut(linalg::LinalgOp op, unsigned loop, int64_t grains,
                   utils::IteratorType type = utils::IteratorType::parallel) {
  if (op.getIteratorTypesArray()[loop] != type ||
      op.getStaticLoopRanges()[loop] % grains != 0)
    return false;
  WalkResult asks = op->walk([&](linalg::IndexOp index) {
    return index.getDim() == loop ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return !asks.wasInterrupted();
}

/// The loop of `op` that walks a buffer's dimension as `other` does with `loop`
/// where both touch that buffer; failure where they have none in common.
static FailureOr<unsigned> followLoop(linalg::LinalgOp op,
                                      linalg::LinalgOp other, unsigned loop) {
  for (OpOperand &theirs : other->getOpOperands())
    for (OpOperand &ours : op->getOpOperands()) {
      if (ours.get() != theirs.get() || !isa<MemRefType>(ours.get().getType()) ||
          (!op.isDpsInit(&ours) && !other.isDpsInit(&theirs)))
        continue;
      AffineMap from = other.getMatchingIndexingMap(&theirs);
      AffineMap to = op.getMatchingIndexingMap(&ours);
      auto dim = from.getResultPosition(
          getAffineDimExpr(loop, op.getContext()));
      if (!dim)
        return failure();
      auto found = dyn_cast<AffineDimExpr>(to.getResult(*dim));
      if (!found)
        return failure();
      return found.getPosition();
    }
  return failure();
}

/// Finds the loop of every operation, from `main` outwards. One that touches
/// nothing of the others is cut along any loop that is long enough.
static FailureOr<KernelSplit> findLoops(LinalgOps ops, unsigned main,
                                        unsigned loop, int64_t grains) {
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
  KernelSplit split;
  split.grains = grains;
  for (auto [number, known] : llvm::enumerate(loops)) {
    linalg::LinalgOp op = ops[number];
    for (unsigned any = 0; !known && any < op.getNumLoops(); ++any)
      if (canCut(op, any, grains))
        known = any;
    if (!known || !canCut(op, *known, grains))
      return failure();
    split.loops.push_back(*known);
  }
  return split;
}

/// Whether all that `op` captures is an argument that none of `written` overlaps.
static bool capturesUnwritten(linalg::LinalgOp op, ArrayRef<BlockArgument> written,
                              AreApart areApart) {
  return llvm::all_of(getCapturedBuffers(op), [&](Value buffer) {
    BlockArgument argument = getKernelArgument(buffer);
    return argument && llvm::all_of(written, [&](BlockArgument other) {
             return argument != other &&
                    areApart(other.getArgNumber(), argument.getArgNumber());
           });
  });
}

/// Checks the rules on what is written.
static bool isLegal(LinalgOps ops, const KernelSplit &split,
                    AreApart areApart) {
  llvm::MapVector<Value, BufferPart> written;
  SmallVector<BlockArgument> arguments;
  for (auto [number, loop] : llvm::enumerate(split.loops)) {
    linalg::LinalgOp op = ops[number];
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      auto part = getPart(op, operand, loop, split.grains);
      if (failed(part) || !part->isOwn || !getKernelArgument(operand.get()))
        return false;
      written.insert({operand.get(), *part});
      arguments.push_back(getKernelArgument(operand.get()));
    }
  }
  for (auto [number, loop] : llvm::enumerate(split.loops)) {
    linalg::LinalgOp op = ops[number];
    if (!capturesUnwritten(op, arguments, areApart))
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto part = getPart(op, operand, loop, split.grains);
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
                   : !areApart(getKernelArgument(buffer).getArgNumber(),
                               argument.getArgNumber()))
          return false;
      }
    }
  }
  return true;
}

FailureOr<KernelSplit> plumb::splitAlong(LinalgOps ops, unsigned main,
                                         unsigned loop, int64_t grains,
                                         AreApart areApart) {
  if (!canCut(ops[main], loop, grains))
    return failure();
  FailureOr<KernelSplit> split = findLoops(ops, main, loop, grains);
  if (failed(split) || !isLegal(ops, *split, areApart))
    return failure();
  return split;
}

/// Whether `op` adds what its body computes to its only result, all elements of
/// which it walks in order.
static bool isSum(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  std::optional<CombiningKinds> kinds = getReductionKinds(op);
  return kinds && kinds->front() == vector::CombiningKind::ADD &&
         isa<FloatType>(type.getElementType()) && type.getRank() > 0 &&
         type.getLayout().isIdentity() && map.isProjectedPermutation() &&
         map.getNumResults() == op.getNumParallelLoops();
}

FailureOr<KernelSplit> plumb::splitSum(LinalgOps ops, unsigned sum,
                                       unsigned loop, int64_t grains) {
  linalg::LinalgOp op = ops[sum];
  if (!canCut(op, loop, grains, utils::IteratorType::reduction) || !isSum(op))
    return failure();
  Value result = op.getDpsInits()[0];
  // What comes before is done after the grains.
  for (linalg::LinalgOp before : ops.take_front(sum))
    if (!isa<linalg::FillOp>(before) || before.getDpsInits()[0] != result)
      return failure();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<MemRefType>(input->get().getType()))
      continue;
    BlockArgument argument = getKernelArgument(input->get());
    if (!argument || argument == getKernelArgument(result) ||
        failed(getPart(op, *input, loop, grains)))
      return failure();
  }
  // Grains write partial results only, which overlap nothing.
  if (!capturesUnwritten(op, getKernelArgument(result), [](unsigned, unsigned) { return true; }))
    return failure();
  KernelSplit split;
  split.grains = grains;
  split.loops.assign(ops.size(), loop);
  split.sum = sum;
  return split;
}
