// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes reads of parameters out of loops that write none. A loop that only reads sees the same values in every step, so
// its reads move before it and the memory token, which nothing inside continues any more, is no longer carried round:
//
//   %r:2 = scf.for … iter_args(%x = %x0, %u = %u0) {        %w, %u1 = net.read @w after %u0
//     %w, %u1 = net.read @w after %u                   ->   %r = scf.for … iter_args(%x = %x0) {
//     %y = net.mul %x, %w                                     %y = net.mul %x, %w
//     yield %y, %u1                                           yield %y
//   }                                                       }   // users of %r#1 use %u1
//
// That saves work, and it leaves the loop free of effects, which is what the reverse of loops asks for. Branches inside
// a loop are seen through: a read in one moves out, too, for reading is free of consequences.
// Test: test/compiler/autodiff/hoist_loop_reads.mlir.

#include "compiler/auto_monad/Tokens.h"
#include "compiler/autodiff/Passes.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace plumb {
#define GEN_PASS_DEF_HOISTLOOPREADSPASS
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The number of the memory token among what `loop` carries, if it carries one.
static std::optional<unsigned> findMemoryToken(LoopLikeOpInterface loop) {
  for (auto [number, init] : llvm::enumerate(loop.getInits()))
    if (isa<net::UType>(init.getType()))
      return number;
  return std::nullopt;
}

/// Whether all that `loop` does with memory is to read it.
static bool onlyReads(LoopLikeOpInterface loop) {
  WalkResult walk = loop->walk([&](Operation *op) {
    if (auto stateful = dyn_cast<net::StateOpInterface>(op); stateful && !stateful.hasToken())
      return WalkResult::interrupt();
    bool hasEffect = op != loop && op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
                     llvm::any_of(op->getOperandTypes(), llvm::IsaPred<net::UType>);
    return hasEffect && !isa<net::ReadOp, net::DependOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// Moves the reads of `loop` before it and makes every memory token inside the last of theirs.
static void hoistReads(LoopLikeOpInterface loop, unsigned number) {
  SmallVector<net::ReadOp> reads;
  loop->walk([&](net::ReadOp read) { reads.push_back(read); });
  if (reads.empty())
    return;
  Value token = loop.getInits()[number];
  for (net::ReadOp read : reads) {
    read->moveBefore(loop);
    read.getOutToken().replaceAllUsesWith(read.getToken());
    read.getTokenMutable().assign(token);
    token = read.getOutToken();
  }
  loop.getInitsMutable()[number].set(token);
}

/// Makes users of the memory token that `loop` yields use the one that it starts with: nothing inside continues it. The
/// token that is still carried is dead, and canonicalization takes it out.
static void bypassToken(LoopLikeOpInterface loop, unsigned number) {
  Value init = loop.getInits()[number];
  for (Value result : loop->getResults())
    if (isa<net::UType>(result.getType()))
      result.replaceAllUsesWith(init);
}

namespace {

struct HoistLoopReadsPass : public plumb::impl::HoistLoopReadsPassBase<HoistLoopReadsPass> {
  void runOnOperation() override {
    // Inner loops first: what they hoist lands in the outer loop, which hoists it on.
    getOperation().walk([](LoopLikeOpInterface loop) {
      std::optional<unsigned> number = findMemoryToken(loop);
      if (!number || !onlyReads(loop))
        return;
      hoistReads(loop, *number);
      bypassToken(loop, *number);
    });
  }
};

} // namespace
