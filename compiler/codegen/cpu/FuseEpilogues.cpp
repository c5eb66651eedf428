// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks what can be done on a product's accumulators before they are stored:
// operations right behind it that walk its result as it does, and sums of its
// rows. They are marked,
// not merged, so that the emitters may still leave one behind. The proof that
// nothing is read after it was overwritten needs the places of buffers, which
// are known here and no longer in functions. Covered by fuse_epilogues.mlir.

#include "compiler/codegen/common/Places.h"
#include "compiler/codegen/cpu/Epilogue.h"
#include "compiler/codegen/cpu/Passes.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#define DEBUG_TYPE "plumb-fuse-epilogues"

namespace plumb {
#define GEN_PASS_DEF_FUSEEPILOGUESPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// One product and what follows it.
class Run {
public:
  Run(linalg::LinalgOp product, LinearNest nest)
      : product(product), nest(std::move(nest)), epilogue(product) {}

  /// Takes in what follows, and marks it.
  void extend();

private:
  bool isSafe() const;
  bool mayShare(Value written, unsigned writtenAccess, Value other,
                unsigned otherAccess) const;
  void mark();
  bool isTransient(Value buffer) const;

  linalg::LinalgOp product;
  LinearNest nest;
  Epilogue epilogue;
  /// Fills between the product and what follows, which follow too.
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
      if (product->hasAttr(kEpilogueMark))
        continue;
      FailureOr<LinearNest> nest = LinearNest::read(product);
      if (succeeded(nest))
        Run(product, *nest).extend();
    }
  }
};

} // namespace

/// Whether writing one buffer element by element harms no access of another:
/// they are apart, or walked alike.
bool Run::mayShare(Value written, unsigned writtenAccess, Value other,
                   unsigned otherAccess) const {
  if (!isa<MemRefType>(other.getType()) || areApart(written, other))
    return true;
  return getReshaped(written) == getReshaped(other) &&
         walkAlike(nest, nest.accesses[writtenAccess],
                   nest.accesses[otherAccess]);
}

/// Whether the last stage may run before the product is complete: what it
/// writes is not read elsewhere in the run, and what it reads is not written.
bool Run::isSafe() const {
  const EpilogueStage &stage = epilogue.stages.back();
  linalg::LinalgOp op = stage.op;
  auto apartFrom = [&](linalg::LinalgOp other, unsigned firstAccess,
                       bool isProduct) {
    for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
      unsigned written = stage.firstAccess + op.getNumDpsInputs() + number;
      for (OpOperand &operand : other->getOpOperands()) {
        bool isInput = isProduct && other.isDpsInput(&operand);
        if (isInput && isa<MemRefType>(operand.get().getType()) &&
            !areApart(init, operand.get()))
          return false;
        if (!mayShare(init, written, operand.get(),
                      firstAccess + operand.getOperandNumber()))
          return false;
      }
    }
    return true;
  };
  auto reads = [&](Value written, unsigned access) {
    for (OpOperand *input : op.getDpsInputOperands())
      if (!mayShare(written, access, input->get(),
                    stage.firstAccess + input->getOperandNumber()))
        return false;
    return true;
  };
  if (!apartFrom(product, 0, /*isProduct=*/true))
    return false;
  for (const EpilogueStage &other : epilogue.stages)
    if (!apartFrom(other.op, other.firstAccess, /*isProduct=*/false))
      return false;
  return llvm::all_of(epilogue.values, [&](const EpilogueValue &value) {
    return reads(value.buffer, value.access);
  });
}

/// Whether only the run reads `buffer`: it lies in the arena, or is the step's
/// own, and no other operation touches it later in the step.
bool Run::isTransient(Value buffer) const {
  Value root = getRoot(buffer);
  Operation *definition = root.getDefiningOp();
  if (!isa_and_nonnull<device::ArenaViewOp, memref::AllocOp, memref::AllocaOp>(
          definition) ||
      !isa<device::LoopOp, func::FuncOp>(product->getParentOp()))
    return false;
  auto isRun = [&](Operation *op) {
    return op == product || llvm::is_contained(fills, op) ||
           llvm::any_of(epilogue.stages, [&](const EpilogueStage &stage) {
             return stage.op == op;
           });
  };
  SmallVector<Value> views{root};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user) && isMemoryEffectFree(user)) {
        views.append(user->result_begin(), user->result_end());
        continue;
      }
      Operation *ancestor = product->getBlock()->findAncestorOpInBlock(*user);
      if (!isRun(user) && (!ancestor || product->isBeforeInBlock(ancestor)) &&
          !isa<memref::DeallocOp>(user))
        return false;
    }
  return true;
}

void Run::mark() {
  Builder builder(product.getContext());
  auto markTransient = [&](linalg::LinalgOp op) {
    if (llvm::all_of(op.getDpsInits(),
                     [&](Value init) { return isTransient(init); }))
      op->setAttr(kTransientMark, builder.getUnitAttr());
  };
  for (Operation *fill : fills)
    fill->setAttr(kEpilogueMark, builder.getUnitAttr());
  for (const EpilogueStage &stage : epilogue.stages) {
    linalg::LinalgOp op = stage.op;
    op->setAttr(kEpilogueMark, builder.getUnitAttr());
    markTransient(op);
  }
  markTransient(product);
}

void Run::extend() {
  SmallVector<Operation *> waiting;
  for (Operation *next = product->getNextNode(); next;
       next = next->getNextNode()) {
    if (isMemoryEffectFree(next))
      continue;
    if (isa<linalg::FillOp>(next)) {
      waiting.push_back(next);
      continue;
    }
    auto follower = dyn_cast<linalg::LinalgOp>(next);
    if (!follower)
      break;
    bool ownsFills = llvm::all_of(waiting, [&](Operation *fill) {
      return llvm::is_contained(follower.getDpsInits(), fill->getOperand(1));
    });
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
  if (!epilogue.stages.empty())
    mark();
}
