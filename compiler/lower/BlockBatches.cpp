// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rebuilds the operations on a batch one by one in program order, each between reshapes of its operands and results;
// the next one reads the operand of a reshape where there is one.

#include "compiler/lower/BlockBatches.h"

#include "compiler/lower/LayoutViews.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

static RankedTensorType getType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The axes of a tensor of rank `rank` after axis `axis` is split.
static AxisOrder splitAxis(int64_t rank, int64_t axis) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  order.insert(order.begin() + axis, kBlocks);
  return order;
}

/// The reassociation of a tensor of rank `rank` with the one in which axis `axis` is split.
static SmallVector<ReassociationIndices> getGroups(int64_t rank, int64_t axis) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t old = 0; old < rank; ++old)
    groups.push_back(old == axis ? ReassociationIndices{old, old + 1} : ReassociationIndices{old + (old > axis)});
  return groups;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The loop of `op` that indexes the batch.
static std::optional<unsigned> findBatchLoop(GenericOp op, const InnermostAxes &batch) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = op.isDpsInit(&operand) ? Value(op.getTiedOpResult(&operand)) : operand.get();
    if (auto found = batch.find(value); found != batch.end())
      if (auto loop = dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(&operand).getResult(found->second)))
        return loop.getPosition();
  }
  return std::nullopt;
}

/// Whether the loop of the batch can be split: it indexes the batch axis of operands or none, always alone, and the
/// body does not use its index.
static bool canBlock(GenericOp op, const InnermostAxes &batch) {
  std::optional<unsigned> loop = findBatchLoop(op, batch);
  if (!loop || !op.hasPureTensorSemantics() || op.hasDynamicShape())
    return false;
  bool usesIndex = op->walk([&](linalg::IndexOp index) {
                       return index.getDim() == *loop ? WalkResult::interrupt() : WalkResult::advance();
                     }).wasInterrupted();
  return !usesIndex && llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    int64_t uses = llvm::count_if(map.getResults(), [&](AffineExpr e) { return e.isFunctionOfDim(*loop); });
    return uses == 0 || (uses == 1 && findAxis(map, *loop));
  }) && llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto found = batch.find(operand.get());
    return found == batch.end() || findAxis(op.getMatchingIndexingMap(&operand), *loop) == found->second;
  });
}

/// Whether a slice or pad contains the complete batch.
static bool keepsBatch(Operation *op, int64_t axis) {
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return pad.getStaticLow()[axis] == 0 && pad.getStaticHigh()[axis] == 0;
  auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
  Value whole = isa<tensor::ExtractSliceOp>(op) ? op->getOperand(0) : op->getResult(0);
  return !slice || (slice.getStaticOffsets()[axis] == 0 && slice.getStaticStrides()[axis] == 1 &&
                    slice.getStaticSizes()[axis] == getType(whole).getDimSize(axis));
}

/// Whether both the first operand and the result of `op` are tensors of the batch.
static bool isInside(Operation *op, const InnermostAxes &batch) {
  return op->getNumResults() == 1 && batch.contains(op->getResult(0)) && op->getNumOperands() != 0 &&
         batch.contains(op->getOperand(0));
}

/// Whether `op`, which defines or uses tensors of the batch, can work on blocks, or can use a reshaped tensor at the
/// edge.
static bool canBlock(Operation *op, const InnermostAxes &batch) {
  if (auto generic = dyn_cast<GenericOp>(op))
    return canBlock(generic, batch);
  if (!isInside(op, batch))
    return true;
  int64_t from = batch.lookup(op->getOperand(0)), to = batch.lookup(op->getResult(0));
  return carriesLayout(op) && keepsAxis(op, from, to) && keepsBatch(op, to);
}

static bool canBlock(const InnermostAxes &batch) {
  return llvm::all_of(batch, [&](const auto &entry) {
    auto [value, axis] = entry;
    int64_t extent = getType(value).getDimSize(axis);
    Operation *definition = value.getDefiningOp();
    return extent > kBlockEntries && extent % kBlockEntries == 0 && (!definition || canBlock(definition, batch)) &&
           llvm::all_of(value.getUsers(), [&](Operation *user) { return canBlock(user, batch); });
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Rebuilds the operations on one batch.
class Blocker {
public:
  Blocker(const InnermostAxes &batch, MLIRContext *context) : batch(batch), rewriter(context) {}

  void run(Block &block);
  /// The new tensors, with their axes of entries.
  InnermostAxes getEntries() const;

private:
  Value getBlocked(Value value, int64_t axis);
  void replace(Value old, Value now, int64_t axis);

  void rebuild(Operation *op);
  void rebuildGeneric(GenericOp op, unsigned loop);

  InnermostAxes batch;
  IRRewriter rewriter;
  llvm::MapVector<Value, Value> blocked;
  /// Erased at the end, since the maps' keys are addresses, which new values must not reuse.
  SmallVector<Operation *> replaced, reshapes;
};

} // namespace

/// `value` with its axis `axis` split. Empty and filled tensors are created anew.
Value Blocker::getBlocked(Value value, int64_t axis) {
  if (Value known = blocked.lookup(value))
    return known;
  RankedTensorType type = permute(getType(value), splitAxis(getType(value).getRank(), axis));
  if (value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(rewriter, value.getLoc(), type.getShape(), type.getElementType());
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(rewriter, value.getLoc(), fill.getInputs(), getBlocked(fill.getOutputs()[0], axis))
        .getResult(0);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  return blocked[value] = tensor::ExpandShapeOp::create(rewriter, value.getLoc(), type, value,
                                                        getGroups(getType(value).getRank(), axis));
}

/// Replaces `old` by a reshape of `now`.
void Blocker::replace(Value old, Value now, int64_t axis) {
  auto back = tensor::CollapseShapeOp::create(rewriter, old.getLoc(), getType(old), now,
                                              getGroups(getType(old).getRank(), axis));
  reshapes.push_back(back);
  blocked[back] = now;
  if (batch.contains(old))
    batch.insert({back, axis});
  rewriter.replaceAllUsesWith(old, back);
}

/// The batch's loop indexes the blocks then, and a new innermost loop their entries.
void Blocker::rebuildGeneric(GenericOp op, unsigned loop) {
  unsigned entries = op.getNumLoops();
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  SmallVector<Type> results;
  SmallVector<std::optional<int64_t>> axes;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<int64_t> axis = axes.emplace_back(findAxis(map, loop));
    SmallVector<AffineExpr> indices(map.getResults());
    if (axis)
      indices.insert(indices.begin() + *axis + 1, rewriter.getAffineDimExpr(entries));
    maps.push_back(AffineMap::get(entries + 1, 0, indices, rewriter.getContext()));
    operands.push_back(axis ? getBlocked(operand.get(), *axis) : operand.get());
    if (op.isDpsInit(&operand))
      results.push_back(operands.back().getType());
  }
  unsigned inputs = op.getNumDpsInputs();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  kinds.push_back(kinds[loop]);
  auto rebuilt = GenericOp::create(rewriter, op.getLoc(), results, ArrayRef(operands).take_front(inputs),
                                   ArrayRef(operands).drop_front(inputs), maps, kinds);
  rebuilt.getRegion().takeBody(op.getRegion());
  for (auto [old, now, axis] :
       llvm::zip_equal(op.getResults(), rebuilt.getResults(), ArrayRef(axes).drop_front(inputs)))
    axis ? replace(old, now, *axis) : rewriter.replaceAllUsesWith(old, now);
}

void Blocker::rebuild(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = dyn_cast<GenericOp>(op)) {
    if (std::optional<unsigned> loop = findBatchLoop(generic, batch)) {
      rebuildGeneric(generic, *loop);
      replaced.push_back(op);
    }
    return;
  }
  if (!isInside(op, batch) || !carriesLayout(op))
    return;
  int64_t axis = batch.lookup(op->getResult(0));
  auto getOrder = [&](Value value) { return splitAxis(getType(value).getRank(), batch.lookup(value)); };
  auto getOrdered = [&](Value value, const AxisOrder &order) {
    return getBlocked(value, llvm::find(order, kBlocks) - order.begin());
  };
  replace(op->getResult(0), rebuildView(rewriter, op, getOrder, getOrdered), axis);
  replaced.push_back(op);
}

void Blocker::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    rebuild(&op);
  for (Operation *op : llvm::reverse(replaced))
    rewriter.eraseOp(op);
  for (Operation *op : llvm::reverse(reshapes))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

InnermostAxes Blocker::getEntries() const {
  InnermostAxes entries;
  for (auto [value, now] : blocked)
    if (auto found = batch.find(value); found != batch.end())
      entries.insert({now, found->second + 1});
  return entries;
}

void plumb::blockBatches(LayoutPlan &plan) {
  for (const InnermostAxes &batch : plan.batches) {
    if (!canBlock(batch))
      continue;
    Value any = batch.front().first;
    Block *block = any.getParentBlock();
    Blocker blocker(batch, block->getParentOp()->getContext());
    blocker.run(*block);
    for (const auto &entry : batch)
      plan.innermost.erase(entry.first);
    for (const auto &entry : blocker.getEntries())
      plan.innermost.insert(entry);
  }
}
