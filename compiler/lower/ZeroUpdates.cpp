// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/ZeroUpdates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// Elements of a table for each one that is added to, from which on an update of rows takes less time: its loops are
/// scalar, those over the table are memory-bound.
constexpr int64_t kMinTableRatio = 8;

/// The next operation that accesses memory.
static Operation *getNextAccess(Operation *op) {
  for (op = op->getNextNode(); op && isMemoryEffectFree(op);)
    op = op->getNextNode();
  return op;
}

/// How often an operation in loops of constant bounds is executed at most; nothing if a bound is not constant.
static std::optional<int64_t> countExecutions(Operation *op, Operation *outermost) {
  int64_t count = 1;
  for (Operation *around = op->getParentOp();; around = around->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(around)) {
      std::optional<llvm::APInt> trips = loop.getStaticTripCount();
      if (!trips)
        return std::nullopt;
      count *= trips->getSExtValue();
    }
    if (around == outermost)
      return count;
  }
}

/// The only store in `loop`, if everything else there is loops, conditions, loads and arithmetic, and values leave them
/// through memory only.
static memref::StoreOp findOnlyStore(scf::ForOp loop) {
  memref::StoreOp only;
  WalkResult result = loop->walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      bool isFirst = !only;
      only = store;
      return isFirst ? WalkResult::advance() : WalkResult::interrupt();
    }
    bool isKnown =
        isa<scf::ForOp, scf::IfOp>(op) ? op->getNumResults() == 0 : isa<memref::LoadOp>(op) || isMemoryEffectFree(op);
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? memref::StoreOp() : only;
}

/// Whether the loop's loads are from other buffers than `table`, or views of them.
static bool readsOthers(scf::ForOp loop, Value table) {
  return !loop->walk([&](memref::LoadOp load) {
                Value buffer = load.getMemRef();
                while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
                  buffer = view.getViewSource();
                return buffer == table ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether a number times +0 is +0.
static bool keepsZero(Value value) {
  llvm::APFloat number(0.0);
  return matchPattern(value, m_ConstantFloat(&number)) && number.isFinite() && !number.isNegative();
}

/// Adds to `factors` the scalar input behind `value`. Fails if `value` is neither that nor a constant.
static LogicalResult addFactor(GenericOp update, Value value, SmallVectorImpl<Value> &factors) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != update.getBody())
    return success(keepsZero(value));
  OpOperand &operand = update->getOpOperand(argument.getArgNumber());
  if (!update.isDpsInput(&operand) || update.getMatchingIndexingMap(&operand).getNumResults() != 0)
    return failure();
  if (isa<FloatType>(operand.get().getType()))
    return success(keepsZero(operand.get()));
  factors.push_back(operand.get());
  return success();
}

/// Whether the update yields the table's old element where the gradient is zero, as long as no factor is negative,
/// infinite or NaN: a difference of the old element and of products with the gradient.
static LogicalResult keepsOld(ZeroUpdate &found) {
  llvm::SmallDenseSet<Value> olds, zeros;
  for (OpOperand &operand : found.update->getOpOperands()) {
    if (operand.get() == found.getTable())
      olds.insert(found.update.getMatchingBlockArgument(&operand));
    if (operand.get() == found.getGradient())
      zeros.insert(found.update.getMatchingBlockArgument(&operand));
  }
  for (Operation &op : found.update.getBody()->without_terminator()) {
    bool isFirstZero = op.getNumOperands() == 2 && zeros.contains(op.getOperand(0));
    bool isSecondZero = op.getNumOperands() == 2 && zeros.contains(op.getOperand(1));
    if (isa<arith::MulFOp>(op) && isFirstZero != isSecondZero &&
        succeeded(addFactor(found.update, op.getOperand(isFirstZero ? 1 : 0), found.factors)))
      zeros.insert(op.getResult(0));
    else if (isa<arith::SubFOp>(op) && isSecondZero && olds.contains(op.getOperand(0)))
      olds.insert(op.getResult(0));
    else
      return failure();
  }
  return success(olds.contains(found.update.getBody()->getTerminator()->getOperand(0)));
}

/// Whether `update` is elementwise and in place, with the table, the gradient and scalars as operands.
static bool isUpdateInPlace(GenericOp update, Value gradient) {
  if (!update.hasPureBufferSemantics() || update.getNumDpsInits() != 1 || update.hasIndexSemantics() ||
      update.getNumParallelLoops() != update.getNumLoops())
    return false;
  Value table = update.getDpsInits()[0];
  return llvm::all_of(update->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = update.getMatchingIndexingMap(&operand);
    return operand.get() == table || operand.get() == gradient ? map.isIdentity() : map.getNumResults() == 0;
  });
}

/// Whether `value` is defined before `op`.
static bool isDefinedBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  return !definition || definition->getBlock() != op->getBlock() || definition->isBeforeInBlock(op);
}

std::optional<ZeroUpdate> plumb::findZeroUpdate(linalg::FillOp fill) {
  if (!fill.hasPureBufferSemantics() || !matchPattern(fill.getInputs()[0], m_PosZeroFloat()))
    return std::nullopt;
  ZeroUpdate found{fill, dyn_cast_or_null<scf::ForOp>(getNextAccess(fill)), {}, {}, {}};
  found.update = found.loop ? dyn_cast_or_null<GenericOp>(getNextAccess(found.loop)) : GenericOp();
  if (!found.update || !isUpdateInPlace(found.update, found.getGradient()))
    return std::nullopt;
  found.store = findOnlyStore(found.loop);
  bool isPrivate = found.getGradient().getDefiningOp<memref::AllocOp>() &&
                   llvm::all_of(found.getGradient().getUsers(), [&](Operation *user) {
                     return user == fill || user == found.update || found.loop->isProperAncestor(user);
                   });
  if (!found.store || found.store.getMemRef() != found.getGradient() || !isPrivate ||
      !readsOthers(found.loop, found.getTable()) || failed(keepsOld(found)) ||
      !llvm::all_of(found.factors, [&](Value factor) { return isDefinedBefore(factor, fill); }))
    return std::nullopt;
  std::optional<int64_t> elements = countExecutions(found.store, found.loop);
  int64_t tableElements = cast<MemRefType>(found.getTable().getType()).getNumElements();
  if (!elements || *elements * kMinTableRatio > tableElements)
    return std::nullopt;
  return found;
}
