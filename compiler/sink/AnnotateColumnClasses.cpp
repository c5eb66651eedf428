// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes on each queue which columns hold class numbers, so that the host can refuse batches with labels outside the classes.
//
// A loop that checked its labels would pay at every step for what is a mistake in the data; the thread that fills a slot
// checks them for nothing. So the limit is carried from where it is known, the shape of the scores, to where values come
// in: from `net.sparse_softmax_cross_entropy` back through casts and reshapes to a result of `device.get_next`. Only
// losses at the top level of the step count; inside a branch a label may be meant not to be used.
// Test: test/compiler/sink/annotate_column_classes.mlir

#include "compiler/sink/Passes.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/NetSoftmaxOps.h"

#define DEBUG_TYPE "plumb-annotate-column-classes"

namespace plumb {
#define GEN_PASS_DEF_ANNOTATECOLUMNCLASSESPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// The attribute on `device.queue`: one number per column, 0 where any value will do.
static constexpr llvm::StringLiteral classesName = "device.classes";

/// Whether `op` hands on the integers of its operand, in whatever shape or width.
static bool keepsValues(Operation *op) {
  if (isa<net::CastOp>(op))
    return isa<IntegerType>(cast<ShapedType>(op->getOperand(0).getType()).getElementType());
  return isa<net::ReshapeOp, net::SqueezeOp, net::ExpandDimsOp, net::FlattenOp>(op);
}

/// The result of `next` that `labels` are made of, or null.
static OpResult findColumn(Value labels, device::GetNextOp next) {
  Operation *op = labels.getDefiningOp();
  while (op && op != next && keepsValues(op)) {
    labels = op->getOperand(0);
    op = labels.getDefiningOp();
  }
  return op == next ? cast<OpResult>(labels) : OpResult();
}

static void annotate(device::LoopOp loop) {
  device::GetNextOp next = loop.getGetNext();
  if (!next)
    return;
  SmallVector<int64_t> classes(next->getNumResults(), 0);
  for (auto loss : loop.getBody().front().getOps<net::SparseSoftmaxCrossEntropyOp>())
    if (OpResult column = findColumn(loss.getLabels(), next)) {
      int64_t count = cast<ShapedType>(loss.getLogits().getType()).getShape().back();
      int64_t &known = classes[column.getResultNumber()];
      known = known ? std::min(known, count) : count;
    }
  if (llvm::all_of(classes, [](int64_t count) { return count == 0; }))
    return;
  auto queue = SymbolTable::lookupNearestSymbolFrom<device::QueueOp>(loop, next.getQueueAttr());
  queue->setAttr(classesName, DenseI64ArrayAttr::get(loop.getContext(), classes));
}

namespace {

struct AnnotateColumnClassesPass : public plumb::impl::AnnotateColumnClassesPassBase<AnnotateColumnClassesPass> {
  void runOnOperation() override { getOperation().walk(annotate); }
};

} // namespace
