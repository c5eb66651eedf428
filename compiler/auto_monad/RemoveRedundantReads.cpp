// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a parameter once where its value is known. Walking a block in order, the last value that was read from or
// written to each parameter is remembered; a later read of it is that value, until code that may write the parameter
// intervenes:
//
//   %v, %u1 = net.read @w after %u                   %v, %u1 = net.read @w after %u
//   %a, %u2 = net.read @w after %u1         ->       %u2 = net.assign @w, %x after %u1
//   %u3 = net.assign @w, %x after %u2                // users of %a use %v, those of %b use %x
//   %b, %u4 = net.read @w after %u3
//
// and a write that the next write of the same parameter hides, with no read between, is dropped, too. A read whose
// value nobody uses only passes its token on, so it goes as well. A parameter that a loop or branch does not write
// keeps its known value inside and behind it. Test: test/compiler/auto_monad/remove_redundant_reads.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/auto_monad/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEREDUNDANTREADSPASS
#include "compiler/auto_monad/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// What is known of the parameters at one point of a block.
struct KnownState {
  /// The present value of each parameter whose value is at hand.
  llvm::DenseMap<StringAttr, Value> values;
  /// The last write of each parameter that nothing has read since.
  llvm::DenseMap<StringAttr, net::AssignOp> unreadWrites;
};

} // namespace

/// The parameters that `op` may write through its regions; nothing when it calls a function with a memory effect, which
/// may write any.
static std::optional<llvm::DenseSet<StringAttr>> collectWrites(Operation *op, SymbolTableCollection &symbols) {
  llvm::DenseSet<StringAttr> written;
  WalkResult walk = op->walk([&](Operation *nested) {
    if (auto write = dyn_cast<net::AssignOp>(nested))
      written.insert(write.getParameterAttr().getAttr());
    else if (lookupCallee(nested, symbols) && llvm::any_of(nested->getOperandTypes(), isTokenType))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return written;
}

/// Replaces `read` where the value is known, or remembers it.
static void visitRead(net::ReadOp read, KnownState &known) {
  StringAttr parameter = read.getParameterAttr().getAttr();
  Value &value = known.values[parameter];
  if (!value)
    value = read.getValue();
  if (value != read.getValue())
    read.getValue().replaceAllUsesWith(value);
  if (!read.getValue().use_empty()) {
    known.unreadWrites.erase(parameter);
    return;
  }
  if (value == read.getValue())
    known.values.erase(parameter);
  read.getOutToken().replaceAllUsesWith(read.getToken());
  read.erase();
}

/// Remembers the value that `write` stores and drops the write that it hides.
static void visitWrite(net::AssignOp write, KnownState &known) {
  StringAttr parameter = write.getParameterAttr().getAttr();
  net::AssignOp &hidden = known.unreadWrites[parameter];
  if (hidden) {
    hidden.getOutToken().replaceAllUsesWith(hidden.getToken());
    hidden.erase();
  }
  hidden = write;
  known.values[parameter] = write.getValue();
}

static void visitBlock(Block &block, KnownState known, SymbolTableCollection &symbols);

/// Visits the regions of `op`, entered with what is known here less what a loop may write, and forgets afterwards what
/// any region may write.
static void visitRegions(Operation *op, KnownState &known, SymbolTableCollection &symbols) {
  std::optional<llvm::DenseSet<StringAttr>> written = collectWrites(op, symbols);
  KnownState after;
  if (written)
    for (auto [parameter, value] : known.values)
      if (!written->contains(parameter))
        after.values[parameter] = value;
  KnownState inside;
  inside.values = isa<scf::IfOp>(op) ? known.values : after.values;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block, inside, symbols);
  known = std::move(after);
}

static void visitBlock(Block &block, KnownState known, SymbolTableCollection &symbols) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto read = dyn_cast<net::ReadOp>(op)) {
      if (read.getToken())
        visitRead(read, known);
    } else if (auto write = dyn_cast<net::AssignOp>(op)) {
      if (write.getToken())
        visitWrite(write, known);
    } else if (op.getNumRegions() != 0 || llvm::any_of(op.getOperandTypes(), isTokenType)) {
      visitRegions(&op, known, symbols);
    }
  }
}

namespace {

struct RemoveRedundantReadsPass : public plumb::impl::RemoveRedundantReadsPassBase<RemoveRedundantReadsPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        visitBlock(function.getBody().front(), KnownState(), symbols);
  }
};

} // namespace
