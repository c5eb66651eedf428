// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every buffer of a step an offset in one static arena.
//
//   %a = memref.alloc() : memref<4xf32>     =>     %a = device.arena.view offset 0 : memref<4xf32>
//
// Positions in a live range are the ordinals of the loop body's top-level operations. A use inside a region counts at
// the top-level operation, so a buffer that an inner loop accesses is live during all of the inner loop. Loops of one
// module never run concurrently and share the arena. Test: test/compiler/lower/plan_arena.mlir

#include "compiler/lower/ArenaLayout.h"
#include "compiler/lower/Passes.h"
#include "compiler/target/FindTarget.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/Path.h"

namespace plumb {
#define GEN_PASS_DEF_PLANARENAPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The divisor of L2's size from which on a buffer is large, and how many times smaller a small buffer is than the
/// largest one.
static constexpr int64_t kLargeShare = 2, kMinSizeRatio = 32;

namespace {

/// The attributes of the module, from all its loops.
struct ArenaPlan {
  int64_t bytes = 0;
  int64_t lowerBound = 0;
  SmallVector<Attribute> buffers;
};

using Ordinals = llvm::DenseMap<Operation *, int64_t>;

} // namespace

/// Extends the live range of `block` to all operations that access `buffer`, also through views; sets `definer` to the
/// first.
static void extendLiveRange(Value buffer, Block &step, const Ordinals &ordinals, ArenaBlock &block,
                            Operation *&definer) {
  for (Operation *user : buffer.getUsers()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      for (Value result : user->getResults())
        extendLiveRange(result, step, ordinals, block, definer);
      continue;
    }
    int64_t position = ordinals.lookup(step.findAncestorOpInBlock(*user));
    if (!definer || position < block.first) {
      block.first = position;
      definer = user;
    }
    block.last = std::max(block.last, position);
  }
}

/// "generic train.py:12": the operation that writes the buffer first, and its line in the source.
static std::string describe(Operation *definer, Location loc) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << (definer ? definer->getName().stripDialect() : "unused");
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    stream << ' ' << llvm::sys::path::filename(file.getFilename().getValue()) << ':' << file.getLine();
  return text;
}

/// Sets the offsets of all blocks. In an arena with large blocks, whose accesses miss the caches, a small block is kept
/// live longer than needed: it costs little memory, and codegen can move its users next to the operations on large
/// buffers.
static int64_t assignOffsets(MutableArrayRef<ArenaBlock> blocks, const MachineModel &machine) {
  int64_t largest = 0;
  for (const ArenaBlock &block : blocks)
    largest = std::max(largest, block.bytes);
  SmallVector<ArenaBlock> extended(blocks);
  for (ArenaBlock &block : extended)
    if (largest >= machine.caches.back().bytes() / kLargeShare && block.bytes <= largest / kMinSizeRatio) {
      block.first -= kReuseDistance;
      block.last += kReuseDistance;
    }
  int64_t bytes = layoutArena(extended, device::kBufferAlignment);
  for (auto [block, other] : llvm::zip_equal(blocks, extended))
    block.offset = other.offset;
  return bytes;
}

static void planLoop(device::LoopOp loop, const MachineModel &machine, ArenaPlan &plan) {
  Block &step = loop.getBody().front();
  Ordinals ordinals;
  for (Operation &op : step)
    ordinals[&op] = ordinals.size();
  SmallVector<memref::AllocOp> allocs(step.getOps<memref::AllocOp>());
  SmallVector<ArenaBlock> blocks(allocs.size());
  SmallVector<Operation *> definers(allocs.size(), nullptr);
  for (auto [alloc, block, definer] : llvm::zip(allocs, blocks, definers)) {
    block.bytes = device::getByteSize(alloc.getType());
    extendLiveRange(alloc, step, ordinals, block, definer);
  }
  plan.bytes = std::max(plan.bytes, assignOffsets(blocks, machine));
  plan.lowerBound = std::max(plan.lowerBound, arenaLowerBound(blocks, device::kBufferAlignment));
  for (auto [alloc, block, definer] : llvm::zip(allocs, blocks, definers)) {
    plan.buffers.push_back(device::BufferAttr::get(loop.getContext(), describe(definer, alloc.getLoc()), block.offset,
                                                   block.bytes, block.first, block.last));
    OpBuilder builder(alloc);
    auto view =
        device::ArenaViewOp::create(builder, alloc.getLoc(), alloc.getType(), builder.getI64IntegerAttr(block.offset));
    alloc.replaceAllUsesWith(view.getBuffer());
    alloc.erase();
  }
}

namespace {

struct PlanArenaPass : public plumb::impl::PlanArenaPassBase<PlanArenaPass> {
  using PlanArenaPassBase::PlanArenaPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    getOperation()->walk([&](device::ModuleOp module) {
      ArenaPlan plan;
      for (auto loop : module.getBody().getOps<device::LoopOp>())
        planLoop(loop, target->machine, plan);
      Builder builder(module.getContext());
      module.setArenaBytesAttr(builder.getI64IntegerAttr(plan.bytes));
      module.setArenaLowerBoundAttr(builder.getI64IntegerAttr(plan.lowerBound));
      module.setArenaBuffersAttr(builder.getArrayAttr(plan.buffers));
    });
  }
};

} // namespace
