// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes on each queue which of its columns hold class numbers or indices, and from where to where they may go, so that
// the host can refuse batches with others.
//
// A loop that checked them would pay at every step for what is a mistake in the data; the thread that fills a slot
// checks them for nothing. So the range is carried from where it is known, the shape of the scores or of the tensor
// that is looked up, to where values come in: from operations with indices (`net.gather`,
// `net.sparse_softmax_cross_entropy`) back through casts and reshapes to a result of `device.get_next`. Only uses at
// the top level of the step count; inside a branch a value may be meant not to be used. `InsertIndexChecks` sees to all
// others. Test: test/compiler/sink/annotate_column_ranges.mlir

#include "compiler/sink/Passes.h"
#include "compiler/sink/ValueRanges.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetShapeOps.h"

namespace plumb {
#define GEN_PASS_DEF_ANNOTATECOLUMNRANGESPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// The values that a column may hold, and what for.
struct ColumnRange {
  int64_t lowest, highest;
  /// What asks for it, for the host's message; empty for classes.
  std::string use;
};

} // namespace

/// Whether `op` forwards the integers of its operand, in whatever shape or width.
static bool keepsValues(Operation *op) {
  if (isa<net::CastOp>(op))
    return isa<IntegerType>(cast<ShapedType>(op->getOperand(0).getType()).getElementType());
  return isa<net::ReshapeOp, net::SqueezeOp, net::ExpandDimsOp, net::FlattenOp, net::TransposeOp>(op);
}

/// The result of `next` that `values` are made of, or null.
static OpResult findColumn(Value values, device::GetNextOp next) {
  Operation *op = values.getDefiningOp();
  while (op && op != next && keepsValues(op)) {
    values = op->getOperand(0);
    op = values.getDefiningOp();
  }
  return op == next ? cast<OpResult>(values) : OpResult();
}

/// Narrows the range of the column that `values` are made of.
static void narrow(Value values, device::GetNextOp next, ColumnRange range,
                   MutableArrayRef<std::optional<ColumnRange>> ranges) {
  OpResult column = findColumn(values, next);
  if (!column)
    return;
  std::optional<ColumnRange> &known = ranges[column.getResultNumber()];
  if (!known || range.highest < known->highest || range.lowest > known->lowest) {
    if (known) {
      range.lowest = std::max(range.lowest, known->lowest);
      range.highest = std::min(range.highest, known->highest);
    }
    known = std::move(range);
  }
}

static Attribute toAttribute(Builder &builder, const std::optional<ColumnRange> &range) {
  if (!range)
    return builder.getDictionaryAttr({});
  return toRangeAttribute(builder, {range->lowest, range->highest}, range->use);
}

static void annotate(device::LoopOp loop) {
  device::GetNextOp next = loop.getGetNext();
  if (!next)
    return;
  SmallVector<std::optional<ColumnRange>> ranges(next->getNumResults());
  for (Operation &op : loop.getBody().front()) {
    auto indexing = dyn_cast<net::IndexingOpInterface>(op);
    if (!indexing)
      continue;
    SmallVector<net::IndexRange> needed;
    indexing.getIndexRanges(needed);
    for (net::IndexRange &range : needed) {
      std::string use = range.use.empty() ? "" : range.use + describeUserLine(op.getLoc());
      narrow(range.indices, next, {range.lowest, range.highest, std::move(use)}, ranges);
    }
  }
  if (llvm::none_of(ranges, [](const std::optional<ColumnRange> &range) { return range.has_value(); }))
    return;
  Builder builder(loop.getContext());
  auto queue = SymbolTable::lookupNearestSymbolFrom<device::QueueOp>(loop, next.getQueueAttr());
  queue->setAttr("device.ranges", builder.getArrayAttr(llvm::map_to_vector(
                                      ranges, [&](const auto &range) { return toAttribute(builder, range); })));
}

namespace {

struct AnnotateColumnRangesPass : public plumb::impl::AnnotateColumnRangesPassBase<AnnotateColumnRangesPass> {
  void runOnOperation() override { getOperation().walk(annotate); }
};

} // namespace
