// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch or loop of `scf` is made anew around the old one's blocks, with more results.

#include "compiler/sink/RegionResults.h"

#include "dialects/net/ir/NetConstantOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace plumb;

Value plumb::makeZeros(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto element = tensor.getElementType();
  Attribute zero =
      isa<FloatType>(element) ? Attribute(builder.getFloatAttr(element, 0.0)) : builder.getIntegerAttr(element, 0);
  return net::ConstantOp::create(builder, loc, DenseElementsAttr::get(tensor, zero));
}

/// The types of the results with those of `values` behind them.
static SmallVector<Type> getTypes(Operation *op, ArrayRef<RegionValue> values) {
  SmallVector<Type> types(op->getResultTypes());
  for (const RegionValue &value : values)
    types.push_back(value.value.getType());
  return types;
}

static SmallVector<Value> makeZeros(OpBuilder &builder, Location loc, ArrayRef<RegionValue> values) {
  return llvm::map_to_vector(values,
                             [&](const RegionValue &value) { return makeZeros(builder, loc, value.value.getType()); });
}

/// Gives up `op` for `wider`, and returns what that has more.
static SmallVector<Value> replaceBy(Operation *op, Operation *wider) {
  unsigned count = op->getNumResults();
  op->replaceAllUsesWith(wider->getResults().take_front(count));
  op->erase();
  return SmallVector<Value>(wider->getResults().drop_front(count));
}

static SmallVector<Value> widenBranch(scf::IfOp op, ArrayRef<RegionValue> values) {
  OpBuilder builder(op);
  auto wider =
      scf::IfOp::create(builder, op.getLoc(), getTypes(op, values), op.getCondition(), /*withElseRegion=*/true);
  for (auto [number, from, to] : llvm::enumerate(op->getRegions(), wider->getRegions())) {
    if (!from.empty())
      to.takeBody(from);
    else if (to.empty())
      to.emplaceBlock();
    Block &arm = to.front();
    SmallVector<Value> yields;
    if (arm.mightHaveTerminator()) {
      llvm::append_range(yields, arm.getTerminator()->getOperands());
      arm.getTerminator()->erase();
    }
    OpBuilder atEnd = OpBuilder::atBlockEnd(&arm);
    for (const RegionValue &value : values)
      yields.push_back(value.region == number ? value.value : makeZeros(atEnd, op.getLoc(), value.value.getType()));
    scf::YieldOp::create(atEnd, op.getLoc(), yields);
  }
  return replaceBy(op, wider);
}

/// Adds an argument per value to the block of `region`, and forwards to its terminator what they come to with those
/// that the region itself computes.
static void carry(Region &region, ArrayRef<RegionValue> values, JoinValues join) {
  Block &block = region.front();
  Operation *terminator = block.getTerminator();
  OpBuilder builder(terminator);
  SmallVector<Value> carried;
  for (auto [number, value] : llvm::enumerate(values)) {
    Value sofar = block.addArgument(value.value.getType(), terminator->getLoc());
    bool isHere = value.region == region.getRegionNumber();
    carried.push_back(isHere ? join(builder, number, sofar, value.value) : sofar);
  }
  terminator->insertOperands(terminator->getNumOperands(), carried);
}

static SmallVector<Value> widenLoop(Operation *op, ArrayRef<RegionValue> values, JoinValues join) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(makeZeros(builder, op->getLoc(), values));
  state.addTypes(getTypes(op, values));
  state.addAttributes(op->getAttrs());
  for (unsigned number = 0; number < op->getNumRegions(); ++number)
    state.addRegion();
  Operation *wider = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), wider->getRegions())) {
    to.takeBody(from);
    carry(to, values, join);
  }
  return replaceBy(op, wider);
}

bool plumb::canAddRegionResults(Operation *op) { return isa<scf::IfOp, scf::WhileOp, scf::ForOp>(op); }

SmallVector<Value> plumb::addRegionResults(Operation *op, ArrayRef<RegionValue> values, JoinValues join) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return widenBranch(branch, values);
  return widenLoop(op, values, join);
}
