// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes on each queue which of its columns hold class numbers or indices, and from where to where they may go, so that the
// host can refuse batches with others.
//
// A loop that checked them would pay at every step for what is a mistake in the data; the thread that fills a slot checks
// them for nothing. So the range is carried from where it is known, the shape of the scores or of the tensor that is looked
// up, to where values come in: from `net.sparse_softmax_cross_entropy` and `net.gather` back through casts and reshapes to
// a result of `device.get_next`. Only uses at the top level of the step count; inside a branch a value may be meant not to
// be used. Test: test/compiler/sink/annotate_column_ranges.mlir

#include "compiler/sink/Passes.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/NetSoftmaxOps.h"

#define DEBUG_TYPE "plumb-annotate-column-ranges"

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

/// Whether `op` hands on the integers of its operand, in whatever shape or width.
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

/// Adds the lines of nested calls, the innermost first.
static void collectLines(Location loc, SmallVectorImpl<FileLineColLoc> &lines) {
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectLines(call.getCallee(), lines);
    collectLines(call.getCaller(), lines);
  } else if (auto line = loc->findInstanceOf<FileLineColLoc>()) {
    lines.push_back(line);
  }
}

/// The user's line: the innermost one that is not of the layers and operations of the Python package.
static std::string describeLine(Location loc) {
  SmallVector<FileLineColLoc> lines;
  collectLines(loc, lines);
  auto *own = llvm::find_if(lines, [](FileLineColLoc line) {
    return llvm::none_of(ArrayRef<StringRef>{"/plumb/nn/", "/plumb/ops/", "/plumb/common/"},
                         [&](StringRef folder) { return line.getFilename().getValue().contains(folder); });
  });
  if (own == lines.end())
    return "";
  return (" at " + own->getFilename().getValue() + ":" + Twine(own->getLine()) + ":" + Twine(own->getColumn())).str();
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

static ColumnRange getRange(net::GatherOp gather) {
  auto table = cast<RankedTensorType>(gather.getX().getType());
  int64_t axis = gather.getAxis();
  axis += axis < 0 ? table.getRank() : 0;
  int64_t extent = table.getDimSize(axis);
  std::string use;
  llvm::raw_string_ostream(use) << "indices along axis " << axis << " of '" << table << "'" << describeLine(gather.getLoc());
  return {gather.getWrap() ? -extent : 0, extent - 1, std::move(use)};
}

static Attribute toAttribute(Builder &builder, const std::optional<ColumnRange> &range) {
  if (!range)
    return builder.getDictionaryAttr({});
  return builder.getDictionaryAttr({builder.getNamedAttr("highest", builder.getI64IntegerAttr(range->highest)),
                                    builder.getNamedAttr("lowest", builder.getI64IntegerAttr(range->lowest)),
                                    builder.getNamedAttr("use", builder.getStringAttr(range->use))});
}

static void annotate(device::LoopOp loop) {
  device::GetNextOp next = loop.getGetNext();
  if (!next)
    return;
  SmallVector<std::optional<ColumnRange>> ranges(next->getNumResults());
  for (Operation &op : loop.getBody().front()) {
    if (auto loss = dyn_cast<net::SparseSoftmaxCrossEntropyOp>(op)) {
      int64_t count = cast<ShapedType>(loss.getLogits().getType()).getShape().back();
      narrow(loss.getLabels(), next, {0, count - 1, ""}, ranges);
    } else if (auto gather = dyn_cast<net::GatherOp>(op)) {
      narrow(gather.getIndices(), next, getRange(gather), ranges);
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
