// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/parallel/ChunkAccesses.h"

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/codegen/cpu/analysis/LinearNest.h"
#include "compiler/codegen/cpu/parallel/ChunkOperands.h"
#include "compiler/codegen/cpu/plan/PlannedOp.h"

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

func::FuncOp ChunkAccesses::getCallee(func::CallOp call) const {
  return symbols.lookup<func::FuncOp>(call.getCallee());
}

func::FuncOp ChunkAccesses::getChunkFunction(func::FuncOp chunks) const {
  kernel::PartitionAttr partition = kernel::getPartition(chunks);
  return partition ? symbols.lookup<func::FuncOp>(partition.getFunction().getValue()) : chunks;
}

bool ChunkAccesses::isKernel(func::FuncOp function) const {
  func::FuncOp chunk = getChunkFunction(function);
  return chunk && !chunk.isDeclaration() && chunk.getNumArguments() == function.getNumArguments();
}

/// Which arguments the operations of `function` write.
static llvm::BitVector findWritten(func::FuncOp function) {
  llvm::BitVector written(function.getNumArguments());
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    for (Value output : op.getDpsInits())
      if (BlockArgument argument = getKernelArgument(output))
        written.set(argument.getArgNumber());
  return written;
}

const llvm::BitVector &ChunkAccesses::findUnstored(func::FuncOp function) {
  auto [known, isNew] = unstored.try_emplace(function);
  if (!isNew)
    return known->second;
  llvm::BitVector found(function.getNumArguments());
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    for (Value buffer : plumb::findUnstored(op))
      if (BlockArgument argument = getKernelArgument(buffer))
        found.set(argument.getArgNumber());
  return unstored[function] = found;
}

/// The element of the root of `buffer`, a call's operand, that is its first one.
static int64_t getOffset(Value buffer) {
  if (auto rebase = buffer.getDefiningOp<kernel::RebaseOp>())
    return rebase.getDistance();
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)cast<MemRefType>(buffer.getType()).getStridesAndOffset(strides, offset);
  return offset;
}

MemoryAccesses ChunkAccesses::getAccesses(func::CallOp call) {
  func::FuncOp callee = getCallee(call), part = getChunkFunction(callee);
  kernel::PartitionAttr partition = kernel::getPartition(callee);
  llvm::BitVector written = findWritten(part);
  const llvm::BitVector &unstored = findUnstored(part);
  MemoryAccesses accesses;
  for (auto [number, operand] : llvm::enumerate(call.getOperands())) {
    auto whole = dyn_cast<MemRefType>(operand.getType());
    if (!whole || unstored.test(number))
      continue;
    int64_t bytes = getElementBytes(whole), offset = getOffset(operand);
    auto type = cast<MemRefType>(part.getArgument(number).getType());
    MemoryAccess access{getRoot(operand)};
    access.begin = offset * bytes;
    access.end = (offset + getSpan(type)) * bytes;
    access.step = partition ? partition.getSteps()[number] : 0;
    access.writes = written[number];
    accesses.push_back(access);
  }
  return accesses;
}

/// Whether one of them writes memory that the other one accesses.
static bool clash(const MemoryAccess &a, const MemoryAccess &b) {
  return (a.writes || b.writes) && !cannotAlias(a.root, b.root);
}

bool plumb::conflict(ArrayRef<MemoryAccess> some, ArrayRef<MemoryAccess> others) {
  return llvm::any_of(some, [&](const MemoryAccess &a) {
    return llvm::any_of(others, [&](const MemoryAccess &b) { return clash(a, b); });
  });
}

bool plumb::isInStep(const MemoryAccess &a, const MemoryAccess &b) {
  if (a.root != b.root || a.step == 0 || a.step != b.step)
    return false;
  int64_t begin = a.begin / a.step * a.step;
  return b.begin >= begin && std::max(a.end, b.end) <= begin + a.step;
}

int64_t plumb::countBytes(ArrayRef<MemoryAccess> accesses) {
  llvm::MapVector<Value, int64_t> steps;
  for (const MemoryAccess &access : accesses)
    steps[access.root] = std::max(steps[access.root], access.step);
  int64_t sum = 0;
  for (auto [root, step] : steps)
    sum += step;
  return sum;
}
