// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the operations after a contraction that can run on its accumulators before they are stored: operations that
// access its result as it does, and reductions of its rows. They are marked, not merged, so that the emitters may still
// emit one by itself. The proof that nothing is read after it was overwritten needs the addresses of buffers, which are
// known here and not in outlined functions. Covered by fuse_epilogues.mlir.

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/plan/Epilogue.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace plumb {
#define GEN_PASS_DEF_FUSEEPILOGUESPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// One contraction and the operations after it.
class Run {
public:
  Run(linalg::LinalgOp product, LinearNest nest) : product(product), nest(std::move(nest)), epilogue(product) {}

  /// Adds operations as long as they fit, and marks them.
  void extend();

private:
  bool isSafe() const;
  bool mayShare(Value written, unsigned writtenAccess, Value other, unsigned otherAccess) const;
  void mark();
  bool isTransient(Value buffer) const;

  linalg::LinalgOp product;
  LinearNest nest;
  Epilogue epilogue;
  /// Fills between the contraction and the operations, which are marked too.
  SmallVector<Operation *> fills;
};

struct FuseEpilogues : plumb::impl::FuseEpiloguesPassBase<FuseEpilogues> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && isContraction(op))
        products.push_back(op);
    });
    for (linalg::LinalgOp product : products) {
      if (product->hasAttr(kernel::kEpilogueName))
        continue;
      FailureOr<LinearNest> nest = LinearNest::read(product);
      if (succeeded(nest))
        Run(product, *nest).extend();
    }
  }
};

} // namespace

/// Whether writing one buffer element by element cannot change what an access of the other reads: they do not alias, or
/// both access the same element at every iteration.
bool Run::mayShare(Value written, unsigned writtenAccess, Value other, unsigned otherAccess) const {
  if (!isa<MemRefType>(other.getType()) || cannotAlias(written, other))
    return true;
  return getReshaped(written) == getReshaped(other) &&
         isSameAccess(nest, nest.accesses[writtenAccess], nest.accesses[otherAccess]);
}

/// Whether the last operation may run before the contraction is complete: no other operation reads what it writes, and
/// none writes what it reads.
bool Run::isSafe() const {
  const EpilogueOp &fused = epilogue.ops.back();
  linalg::LinalgOp op = fused.op;
  auto isIndependentOf = [&](linalg::LinalgOp other, unsigned firstAccess, bool isProduct) {
    for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
      unsigned written = fused.firstAccess + op.getNumDpsInputs() + number;
      for (OpOperand &operand : other->getOpOperands()) {
        bool isInput = isProduct && other.isDpsInput(&operand);
        if (isInput && isa<MemRefType>(operand.get().getType()) && !cannotAlias(init, operand.get()))
          return false;
        if (!mayShare(init, written, operand.get(), firstAccess + operand.getOperandNumber()))
          return false;
      }
    }
    return true;
  };
  auto reads = [&](Value written, unsigned access) {
    for (OpOperand *input : op.getDpsInputOperands())
      if (!mayShare(written, access, input->get(), fused.firstAccess + input->getOperandNumber()))
        return false;
    return true;
  };
  if (!isIndependentOf(product, 0, /*isProduct=*/true))
    return false;
  for (const EpilogueOp &other : epilogue.ops)
    if (!isIndependentOf(other.op, other.firstAccess, /*isProduct=*/false))
      return false;
  return llvm::all_of(epilogue.values, [&](const EpilogueValue &value) { return reads(value.buffer, value.access); });
}

/// Whether only the contraction's epilogue reads `buffer`: it is scratch memory of the step, and no other operation
/// accesses it later in the step.
bool Run::isTransient(Value buffer) const {
  Value root = getRoot(buffer);
  Operation *definition = root.getDefiningOp();
  if (!isa_and_nonnull<device::ArenaViewOp, memref::AllocOp, memref::AllocaOp>(definition) ||
      !isa<device::LoopOp, func::FuncOp>(product->getParentOp()))
    return false;
  auto isRun = [&](Operation *op) {
    return op == product || llvm::is_contained(fills, op) ||
           llvm::any_of(epilogue.ops, [&](const EpilogueOp &fused) { return fused.op == op; });
  };
  SmallVector<Value> views{root};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user) && isMemoryEffectFree(user)) {
        views.append(user->result_begin(), user->result_end());
        continue;
      }
      Operation *ancestor = product->getBlock()->findAncestorOpInBlock(*user);
      if (!isRun(user) && (!ancestor || product->isBeforeInBlock(ancestor)) && !isa<memref::DeallocOp>(user))
        return false;
    }
  return true;
}

void Run::mark() {
  Builder builder(product.getContext());
  auto markTransient = [&](linalg::LinalgOp op) {
    if (llvm::all_of(op.getDpsInits(), [&](Value init) { return isTransient(init); }))
      op->setAttr(kernel::kTransientName, builder.getUnitAttr());
  };
  for (Operation *fill : fills)
    fill->setAttr(kernel::kEpilogueName, builder.getUnitAttr());
  for (const EpilogueOp &fused : epilogue.ops) {
    linalg::LinalgOp op = fused.op;
    op->setAttr(kernel::kEpilogueName, builder.getUnitAttr());
    markTransient(op);
  }
  markTransient(product);
}

void Run::extend() {
  SmallVector<Operation *> waiting;
  for (Operation *next = product->getNextNode(); next; next = next->getNextNode()) {
    if (isMemoryEffectFree(next))
      continue;
    if (isa<linalg::FillOp>(next)) {
      waiting.push_back(next);
      continue;
    }
    auto follower = dyn_cast<linalg::LinalgOp>(next);
    if (!follower)
      break;
    bool ownsFills = llvm::all_of(
        waiting, [&](Operation *fill) { return llvm::is_contained(follower.getDpsInits(), fill->getOperand(1)); });
    LinearNest before = nest;
    if (!ownsFills || !epilogue.add(follower, nest))
      break;
    if (!isSafe()) {
      epilogue.dropLast();
      nest = before;
      break;
    }
    fills.append(waiting);
    waiting.clear();
  }
  if (!epilogue.ops.empty())
    mark();
}
