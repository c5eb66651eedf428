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
// keeps its known value inside and behind it. `net.depend`, which asked for an order that the tokens now give, goes,
// too.
//
// A gradient does not go through a write: each read counts as the parameter (docs/numerics.md). So before gradients are
// expanded only what was read is remembered (`forward-writes=false`). Test:
// test/compiler/auto_monad/remove_redundant_reads.mlir.

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

/// The value of each parameter whose value is at hand at some point of a block.
using KnownValues = llvm::DenseMap<StringAttr, Value>;

/// The parameters that an op may write; nothing when it calls a function with a memory effect, which may write any.
using Writes = std::optional<llvm::DenseSet<StringAttr>>;

/// Takes `op`, which orders nothing any more, out of the chain of tokens.
template <typename Op> static void bypass(Op op) {
  op.getOutToken().replaceAllUsesWith(op.getToken());
  op.erase();
}

namespace {

/// Replaces reads by values that are at hand.
class ReadForwarder {
public:
  explicit ReadForwarder(bool forwardWrites) : forwardWrites(forwardWrites) {}

  /// Replaces the reads of `block` whose value is `known` when the walk arrives there.
  void visit(Block &block, KnownValues known);

private:
  Writes findWrites(Operation *op);
  const Writes &getWrites(Operation *op);
  void visitRegions(Operation *op, KnownValues &known);

  bool forwardWrites;
  SymbolTableCollection symbols;
  /// Of ops with regions, which may stand in each other a thousand deep.
  llvm::DenseMap<Operation *, Writes> writes;
};

} // namespace

/// What `op` may write, itself or through its regions.
Writes ReadForwarder::findWrites(Operation *op) {
  llvm::DenseSet<StringAttr> written;
  if (auto write = dyn_cast<net::AssignOp>(op))
    written.insert(write.getParameterAttr().getAttr());
  else if (llvm::any_of(op->getOperandTypes(), isTokenType) && lookupCallee(op, symbols))
    return std::nullopt;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps()) {
      Writes inside = nested.getNumRegions() != 0 ? getWrites(&nested) : findWrites(&nested);
      if (!inside)
        return std::nullopt;
      written.insert_range(*inside);
    }
  return written;
}

const Writes &ReadForwarder::getWrites(Operation *op) {
  if (auto known = writes.find(op); known != writes.end())
    return known->second;
  Writes found = findWrites(op);
  return writes[op] = std::move(found);
}

/// Visits the regions of `op`, entered with what is known here less what a loop may write, and forgets afterwards what
/// any region may write.
void ReadForwarder::visitRegions(Operation *op, KnownValues &known) {
  const Writes &written = getWrites(op);
  KnownValues after;
  if (written)
    for (auto [parameter, value] : known)
      if (!written->contains(parameter))
        after[parameter] = value;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visit(block, isa<scf::IfOp>(op) ? known : after);
  known = std::move(after);
}

void ReadForwarder::visit(Block &block, KnownValues known) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto read = dyn_cast<net::ReadOp>(op)) {
      auto [place, isNew] = known.try_emplace(read.getParameterAttr().getAttr(), read.getValue());
      if (isNew || !read.getToken())
        continue;
      read.getValue().replaceAllUsesWith(place->second);
      bypass(read);
    } else if (auto write = dyn_cast<net::AssignOp>(op)) {
      StringAttr parameter = write.getParameterAttr().getAttr();
      known.erase(parameter);
      if (forwardWrites)
        known[parameter] = write.getValue();
    } else if (op.getNumRegions() != 0 || llvm::any_of(op.getOperandTypes(), isTokenType)) {
      visitRegions(&op, known);
    }
  }
}

/// Removes the writes of `block` that a later one of the same parameter hides before anything may read it.
static void removeHiddenWrites(Block &block) {
  llvm::DenseSet<StringAttr> hidden;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (auto write = dyn_cast<net::AssignOp>(op)) {
      if (!hidden.insert(write.getParameterAttr().getAttr()).second && write.getToken())
        bypass(write);
      continue;
    }
    if (auto read = dyn_cast<net::ReadOp>(op)) {
      hidden.erase(read.getParameterAttr().getAttr());
    } else if (op.getNumRegions() != 0 || llvm::any_of(op.getOperandTypes(), isTokenType)) {
      hidden.clear();
    }
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        removeHiddenWrites(nested);
  }
}

namespace {

struct RemoveRedundantReadsPass : public plumb::impl::RemoveRedundantReadsPassBase<RemoveRedundantReadsPass> {
  using Base::Base;
  void runOnOperation() override {
    ReadForwarder forwarder(forwardWrites);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      Block &body = function.getBody().front();
      forwarder.visit(body, KnownValues());
      function.walk([](net::ReadOp read) {
        if (read.getToken() && read.getValue().use_empty())
          bypass(read);
      });
      removeHiddenWrites(body);
      function.walk([](net::DependOp depend) {
        depend.replaceAllUsesWith(depend.getValue());
        depend.erase();
      });
    }
  }
};

} // namespace
