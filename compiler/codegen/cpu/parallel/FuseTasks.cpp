// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses the parallel kernels that access the same tensors into one task, which runs them chunk by chunk: each kernel
// finds in a core's caches the elements that the one before it wrote.
//
//   call @map_in_chunks(%x, %y)            call @transpose(%w, %t)
//   call @transpose(%w, %t)          =>    call @map_in_chunks(%x, %y)
//   call @product_in_chunks(%y, %t, %z)    call @product_in_chunks(%y, %t, %z) {kernel.fused}
//
// A kernel can join a task if each of its chunks reads only what the same chunk of the task's kernels wrote: the chunks
// of each shared buffer are the same ranges of bytes. Independent calls in between move before or after the task, so
// that a later kernel on the same tensors, such as a shortcut, can join it, too. Chunks of large tensors are made
// smaller until the buffers of one chunk fit in a core's caches, unless that makes contractions slower. Small kernels
// join tasks in a second round, with their chunks as they are: each saves the threads one barrier. Covered by
// fuse_tasks.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/parallel/ChunkAccesses.h"
#include "compiler/codegen/cpu/parallel/ChunkFunction.h"
#include "compiler/codegen/cpu/select/KernelPlanner.h"
#include "compiler/codegen/cpu/select/Selection.h"
#include "compiler/target/FindTarget.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {
#define GEN_PASS_DEF_FUSETASKSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Parts into which a chunk may be divided.
constexpr int64_t kMaxParts = 16;
/// The divisor of L2's size for the buffers that all kernels access in one chunk.
constexpr int64_t kRoomShare = 2;
/// The divisor of L2's size from which on a kernel's buffers are large, and its chunks may be divided.
constexpr int64_t kMuchShare = 4;
/// Tasks that later calls can still join.
constexpr unsigned kMaxOpen = 4;
/// Relative cycles that smaller chunks may cost contractions.
constexpr double kMaxLoss = 1.04;

namespace {

/// The calls of one task, and calls that move before or after it.
struct Group {
  SmallVector<func::CallOp> members;
  MemoryAccesses accesses, after;
  SmallVector<func::CallOp> before;
  int64_t chunks = 0;
};

using Groups = SmallVector<Group, 0>;

/// Fuses the tasks of one device module.
class TaskFuser {
public:
  TaskFuser(device::ModuleOp module, const CpuTarget &target, StoredPlans &stored)
      : module(module), symbols(module), kernels(symbols), target(target), stored(stored) {}

  void run();

private:
  bool mayJoin(const Group &group, func::CallOp call, ArrayRef<MemoryAccess> accesses);
  void findGroups(Block &block);
  bool isLarge(func::CallOp call);
  Group &findGroup(Groups &open, func::CallOp call, ArrayRef<MemoryAccess> accesses);
  void add(Groups &open, func::CallOp call);
  void finish(const Group &group);

  FailureOr<ChunkFunction> refine(func::FuncOp chunks, int64_t parts);
  double getContractionCycles(func::FuncOp function);
  std::optional<int64_t> chooseParts(const Group &group);
  void chooseAll();
  void replace(func::FuncOp chunks, int64_t parts);
  void join(const Group &group);
  void joinAll();

  device::ModuleOp module;
  SymbolTable symbols;
  ChunkAccesses kernels;
  const CpuTarget &target;
  StoredPlans &stored;
  Groups groups;
  /// Whether this round fuses only calls with large buffers; the second round fuses all that remain.
  bool joinsLarge = true;
  llvm::DenseMap<func::FuncOp, bool> large;
  /// Calls that are part of a fused task.
  llvm::DenseSet<Operation *> taken;
  llvm::MapVector<func::FuncOp, SmallVector<func::CallOp>> calls;
  /// By function that stands for chunks: the parts into which each chunk is divided.
  llvm::MapVector<func::FuncOp, int64_t> parts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether `call` can join the group: they share a buffer, and no chunk needs another chunk of the other.
bool TaskFuser::mayJoin(const Group &group, func::CallOp call, ArrayRef<MemoryAccess> accesses) {
  bool overlaps = false;
  for (const MemoryAccess &access : accesses)
    for (const MemoryAccess &other : group.accesses) {
      bool inStep = isInStep(access, other);
      if (!inStep && conflict(access, other))
        return false;
      overlaps |= inStep;
    }
  return overlaps && kernel::countChunks(kernels.getCallee(call)) == group.chunks && !conflict(accesses, group.after);
}

/// Whether a call accesses large buffers, and its chunks can be divided.
bool TaskFuser::isLarge(func::CallOp call) {
  func::FuncOp callee = kernels.getCallee(call);
  auto [known, isNew] = large.try_emplace(callee, false);
  if (!isNew || countBytes(kernels.getAccesses(call)) * kernel::countChunks(callee) <
                    target.machine.caches.back().bytes() / kMuchShare)
    return known->second;
  FailureOr<ChunkFunction> fine = refine(callee, 2);
  if (failed(fine))
    return false;
  fine->function.erase();
  return large[callee] = true;
}

/// The first group that `call` can join, or a new one.
Group &TaskFuser::findGroup(Groups &open, func::CallOp call, ArrayRef<MemoryAccess> accesses) {
  for (Group &group : open)
    if (mayJoin(group, call, accesses))
      return group;
  if (open.size() == kMaxOpen) {
    finish(open.front());
    open.erase(open.begin());
  }
  open.emplace_back().chunks = kernel::countChunks(kernels.getCallee(call));
  return open.back();
}

/// Adds a call to a group, and to the calls that move before or stay after the others. Calls of one group never move
/// because of another one, nor do calls that are fused already.
void TaskFuser::add(Groups &open, func::CallOp call) {
  MemoryAccesses accesses = kernels.getAccesses(call);
  bool isTaken = taken.contains(call);
  bool isCandidate = !isTaken && kernel::countChunks(kernels.getCallee(call)) && (!joinsLarge || isLarge(call));
  Group *own = isCandidate ? &findGroup(open, call, accesses) : nullptr;
  if (own) {
    own->members.push_back(call);
    llvm::append_range(own->accesses, accesses);
  }
  for (Group &group : open) {
    if (&group == own)
      continue;
    if (own || isTaken || conflict(accesses, group.accesses) || conflict(accesses, group.after))
      llvm::append_range(group.after, accesses);
    else
      group.before.push_back(call);
  }
}

void TaskFuser::finish(const Group &group) {
  if (group.members.size() > 1)
    groups.push_back(group);
}

void TaskFuser::findGroups(Block &block) {
  Groups open;
  auto finishAll = [&] {
    for (const Group &group : open)
      finish(group);
    open.clear();
  };
  for (Operation &op : block) {
    auto call = dyn_cast<func::CallOp>(op);
    func::FuncOp callee = call ? kernels.getCallee(call) : func::FuncOp();
    if (callee && kernels.isKernel(callee))
      add(open, call);
    else if (!isMemoryEffectFree(&op))
      finishAll();
  }
  finishAll();
}

//===----------------------------------------------------------------------===//
// Smaller chunks
//===----------------------------------------------------------------------===//

/// Cycles of the contractions of a function when their operands are in L1.
double TaskFuser::getContractionCycles(func::FuncOp function) {
  double cycles = 0;
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    if (isContraction(op))
      cycles += estimateKernelCycles(op, target).value_or(0);
  return cycles;
}

/// The function of one of `parts` equal parts of a chunk that together access memory as the chunk does. It is in no
/// module yet.
FailureOr<ChunkFunction> TaskFuser::refine(func::FuncOp chunks, int64_t parts) {
  func::FuncOp part = kernels.getChunkFunction(chunks);
  SmallVector<linalg::LinalgOp> ops(part.front().getOps<linalg::LinalgOp>());
  auto cannotAlias = [&](unsigned a, unsigned b) { return cannotAliasInAny(calls[chunks], a, b); };
  for (unsigned loop = 0; loop < ops.back().getNumLoops(); ++loop) {
    auto partition = partitionAlong(ops, ops.size() - 1, loop, parts, cannotAlias);
    if (failed(partition))
      continue;
    ChunkFunction fine = buildChunkFunction(part, ops, *partition);
    bool goesOn = llvm::equal(fine.arguments, llvm::seq<unsigned>(0, part.getNumArguments())) &&
                  llvm::equal(kernel::getPartition(chunks).getSteps(),
                              llvm::map_range(fine.steps, [&](int64_t step) { return step * parts; }));
    if (goesOn)
      return fine;
    fine.function.erase();
  }
  return failure();
}

/// The fewest parts of a chunk with which the buffers of all calls fit in L2; nothing where none suffices.
std::optional<int64_t> TaskFuser::chooseParts(const Group &group) {
  int64_t cache = target.machine.caches.back().bytes(), bytes = countBytes(group.accesses);
  if (!joinsLarge || bytes * group.chunks < cache)
    return 1;
  for (int64_t parts = 1; parts <= kMaxParts; parts *= 2)
    if (bytes / parts <= cache / kRoomShare)
      return parts;
  return std::nullopt;
}

/// Chooses for all groups together, as a function has the same chunks in each of its calls.
void TaskFuser::chooseAll() {
  llvm::erase_if(groups, [&](Group &group) {
    std::optional<int64_t> wanted = chooseParts(group);
    for (func::CallOp call : group.members)
      if (wanted)
        parts[kernels.getCallee(call)] = std::max(parts[kernels.getCallee(call)], *wanted);
    return !wanted;
  });
  for (bool changed = true; changed;) {
    changed = false;
    for (Group &group : groups) {
      int64_t most = 1;
      for (func::CallOp call : group.members)
        most = std::max(most, parts[kernels.getCallee(call)]);
      for (func::CallOp call : group.members) {
        changed |= parts[kernels.getCallee(call)] != most;
        parts[kernels.getCallee(call)] = most;
      }
    }
  }
}

/// Divides the chunks of `chunks` into `parts`, unless that makes contractions slower.
void TaskFuser::replace(func::FuncOp chunks, int64_t parts) {
  FailureOr<ChunkFunction> fine = refine(chunks, parts);
  func::FuncOp part = kernels.getChunkFunction(chunks);
  if (failed(fine))
    return;
  if (getContractionCycles(fine->function) * parts > kMaxLoss * getContractionCycles(part)) {
    fine->function.erase();
    return;
  }
  chunks->setAttr(kernel::kPartitionName,
                  kernel::PartitionAttr::get(module.getContext(), kernel::getPartition(chunks).getFunction(),
                                             kernel::countChunks(chunks) * parts, fine->steps));
  kernels.forget(part);
  symbols.erase(part);
  symbols.insert(fine->function);
  // A stored plan of the function that does not fit is reported; others were selected just now.
  (void)selectPlans(fine->function, target, stored);
}

/// Moves `op` and the views it uses before `position`.
static void moveUp(Operation *op, Operation *position) {
  for (Value operand : op->getOperands())
    if (Operation *view = operand.getDefiningOp();
        view && view->getBlock() == position->getBlock() && position->isBeforeInBlock(view))
      moveUp(view, position);
  op->moveBefore(position);
}

/// Makes the group's calls consecutive if their chunks still correspond.
void TaskFuser::join(const Group &group) {
  Group now;
  now.chunks = kernel::countChunks(kernels.getCallee(group.members.front()));
  for (func::CallOp call : group.members) {
    MemoryAccesses accesses = kernels.getAccesses(call);
    if (!now.accesses.empty() && !mayJoin(now, call, accesses))
      return;
    llvm::append_range(now.accesses, accesses);
  }
  Operation *first = group.members.front();
  for (func::CallOp call : group.before)
    if (first->isBeforeInBlock(call))
      moveUp(call, first);
  for (func::CallOp call : llvm::drop_begin(group.members)) {
    moveUp(call, first);
    call->setAttr(kernel::kFusedName, UnitAttr::get(module.getContext()));
  }
  first->moveBefore(group.members[1]);
  taken.insert_range(group.members);
}

void TaskFuser::joinAll() {
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](Block *block) { findGroups(*block); });
  chooseAll();
  for (auto [chunks, number] : parts)
    if (number > 1)
      replace(chunks, number);
  for (const Group &group : groups)
    join(group);
  groups.clear();
  parts.clear();
}

void TaskFuser::run() {
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) { calls[kernels.getCallee(call)].push_back(call); });
  joinAll();
  joinsLarge = false;
  joinAll();
}

namespace {
struct FuseTasks : plumb::impl::FuseTasksPassBase<FuseTasks> {
  using FuseTasksPassBase::FuseTasksPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    FailureOr<StoredPlans> stored = StoredPlans::read(getOperation(), *target);
    if (failed(stored))
      return signalPassFailure();
    for (auto module : getOperation().getOps<device::ModuleOp>())
      TaskFuser(module, *target, *stored).run();
  }
};
} // namespace
