// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has a step tell the host of indices and classes that lie outside what they number.
//
// Where operations with indices take them from a column, the host has checked them (`AnnotateColumnRanges`), and many
// others are in range by how they are computed (`ValueRanges`). For the rest the step finds the least and the greatest
// index, as far as they can be out of range, and emits them as reports with a range. A `device.continue_if` ends the
// launch after a step with a bad one; the host finds it in the step's record and makes it an error.
//
//   %y = net.gather %x, %i          =>  %y = net.gather %x, %i
//                                       %m = net.reduce_max %i
//                                       device.emit @check, %m  // device.range = {highest = 49, lowest = 0, use = "…"}
//                                       device.continue_if %m <= 49
//
// What a program asserts (`check.assert`) is a number that must be zero: its range is known to the pass, and its text
// is told with the range.
//
// Extremes found in a branch or loop are further results of it. Zero, which every axis has, is an index that changes
// none of them: it comes from an arm that is not taken, and a loop starts with it.
//
// Tests: test/compiler/sink/insert_index_checks.mlir, test/python/index_checks_test.py

#include "compiler/sink/Passes.h"
#include "compiler/sink/RegionResults.h"
#include "compiler/sink/ValueRanges.h"
#include "dialects/check/ir/Check.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {
#define GEN_PASS_DEF_INSERTINDEXCHECKSPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// What the host is told about some indices.
struct Check {
  Interval range;
  std::string use;
  Location loc;
  /// What an assertion says where it fails.
  std::string error = {};
};

/// The least or the greatest of a check's indices, as far as the step has come: a tensor of rank 0.
struct Extreme {
  Value value;
  bool isGreatest;
  unsigned check;
};

/// Inserts the checks of one loop.
class CheckInserter {
public:
  explicit CheckInserter(device::LoopOp loop)
      : loop(loop), module(loop->getParentOfType<device::ModuleOp>()), symbols(module) {}

  void run();

private:
  using Extremes = SmallVector<Extreme>;

  Extremes visit(Block &block);
  void visitIndices(net::IndexingOpInterface op, Extremes &extremes);
  void visitAssertion(check::AssertOp op, Extremes &extremes);
  void visitRegions(Operation *op, Extremes &extremes);
  void addExtreme(OpBuilder &builder, Value indices, bool isGreatest, Extremes &extremes);
  void report(const Extreme &extreme, bool isReported);

  device::LoopOp loop;
  device::ModuleOp module;
  SymbolTable symbols;
  ValueRanges ranges;
  SmallVector<Check> checks;
  /// Indices that were checked where this is executed, and for what.
  SmallVector<std::pair<Value, Interval>> checked;
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The texts of a format around its `{}`, with single braces.
static SmallVector<std::string> splitFormat(StringRef format) {
  SmallVector<std::string> texts(1);
  while (!format.empty()) {
    if (format.consume_front("{}")) {
      texts.emplace_back();
      continue;
    }
    if (format.starts_with("{{") || format.starts_with("}}"))
      format = format.drop_front();
    texts.back() += format.front();
    format = format.drop_front();
  }
  return texts;
}

/// Appends the least or the greatest of `indices` to `extremes`.
void CheckInserter::addExtreme(OpBuilder &builder, Value indices, bool isGreatest, Extremes &extremes) {
  auto type = cast<RankedTensorType>(indices.getType());
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  Location loc = checks.back().loc;
  Value value = indices;
  if (!axes.empty() && isGreatest)
    value = net::ReduceMaxOp::create(builder, loc, indices, axes, false);
  else if (!axes.empty())
    value = net::ReduceMinOp::create(builder, loc, indices, axes, false);
  // A branch that only chose between a value from outside of it and zero would become a select of tensors.
  if (value.getParentBlock() != builder.getInsertionBlock()) {
    Value zero = makeZeros(builder, loc, value.getType());
    value = isGreatest ? net::MaximumOp::create(builder, loc, value, zero).getResult()
                       : net::MinimumOp::create(builder, loc, value, zero).getResult();
  }
  extremes.push_back({value, isGreatest, static_cast<unsigned>(checks.size() - 1)});
}

void CheckInserter::visitIndices(net::IndexingOpInterface op, Extremes &extremes) {
  SmallVector<net::IndexRange> needed;
  op.getIndexRanges(needed);
  for (net::IndexRange &need : needed) {
    Interval range = {need.lowest, need.highest}, known = ranges.get(need.indices);
    auto covers = [&](const auto &entry) { return entry.first == need.indices && entry.second.isInside(range); };
    if (known.isInside(range) || cast<ShapedType>(need.indices.getType()).getNumElements() == 0 ||
        llvm::any_of(checked, covers))
      continue;
    checked.emplace_back(need.indices, range);
    std::string use = (need.use.empty() ? "classes" : need.use) + describeUserLine(op.getLoc());
    checks.push_back({range, std::move(use), op.getLoc()});
    OpBuilder builder(op);
    if (known.lowest < range.lowest)
      addExtreme(builder, need.indices, /*isGreatest=*/false, extremes);
    if (known.highest > range.highest)
      addExtreme(builder, need.indices, /*isGreatest=*/true, extremes);
  }
}

/// Where an assertion fails whose text holds values, it is printed there, for the host to find.
static void printError(check::AssertOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<std::string> texts = splitFormat(op.getError());
  texts.back() += describeUserLine(loc);
  Value zero = makeZeros(builder, loc, op.getFailure().getType());
  Value fails = net::NotEqualOp::create(builder, loc, op.getFailure(), zero);
  Value condition = tensor::ExtractOp::create(builder, loc, fails, ValueRange());
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  auto views = llvm::map_to_vector(texts, [](const std::string &text) { return StringRef(text); });
  auto print = device::PrintOp::create(builder, loc, builder.getStrArrayAttr(views),
                                       builder.getTypeArrayAttr(llvm::to_vector(op.getValues().getTypes())),
                                       DenseI64ArrayAttr(), op.getValues());
  print->setAttr("device.error", builder.getUnitAttr());
}

/// An assertion's number must be zero, which is its range.
void CheckInserter::visitAssertion(check::AssertOp op, Extremes &extremes) {
  if (!op.getValues().empty())
    printError(op);
  OpBuilder builder(op);
  Interval known = ranges.get(op.getFailure());
  checks.push_back({{0, 0}, "", op.getLoc(), op.getError().str()});
  if (known.lowest < 0)
    addExtreme(builder, op.getFailure(), /*isGreatest=*/false, extremes);
  if (known.highest > 0)
    addExtreme(builder, op.getFailure(), /*isGreatest=*/true, extremes);
  op.erase();
}

/// Hands the extremes within a branch or loop out of it.
void CheckInserter::visitRegions(Operation *op, Extremes &extremes) {
  Extremes found;
  SmallVector<RegionValue> values;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (const Extreme &extreme : visit(block)) {
        values.push_back({extreme.value, region.getRegionNumber()});
        found.push_back(extreme);
      }
  if (values.empty())
    return;
  auto join = [&](OpBuilder &builder, unsigned number, Value sofar, Value value) -> Value {
    if (found[number].isGreatest)
      return net::MaximumOp::create(builder, op->getLoc(), sofar, value);
    return net::MinimumOp::create(builder, op->getLoc(), sofar, value);
  };
  for (auto [extreme, result] : llvm::zip_equal(found, addRegionResults(op, values, join)))
    extremes.push_back({result, extreme.isGreatest, extreme.check});
}

/// Visits what `block` runs, and returns the extremes that are values of it.
CheckInserter::Extremes CheckInserter::visit(Block &block) {
  Extremes extremes;
  size_t before = checked.size();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto indexing = dyn_cast<net::IndexingOpInterface>(op))
      visitIndices(indexing, extremes);
    else if (auto assertion = dyn_cast<check::AssertOp>(op))
      visitAssertion(assertion, extremes);
    else if (canAddRegionResults(&op))
      visitRegions(&op, extremes);
  }
  checked.truncate(before);
  return extremes;
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

/// Emits an extreme, unless it is reported already, and ends the launch where it is out of range.
void CheckInserter::report(const Extreme &extreme, bool isReported) {
  const Check &check = checks[extreme.check];
  auto type = cast<RankedTensorType>(extreme.value.getType());
  OpBuilder builder(loop.getBody().front().getTerminator());
  if (!isReported) {
    OpBuilder outside(loop);
    auto declaration = device::ReportOp::create(outside, check.loc, builder.getStringAttr("check"), TypeAttr::get(type),
                                                IntegerAttr());
    NamedAttrList range(toRangeAttribute(builder, check.range, check.use));
    if (!check.error.empty())
      range.set("error", builder.getStringAttr(check.error + describeUserLine(check.loc)));
    declaration->setAttr("device.range", range.getDictionary(builder.getContext()));
    declaration->remove();
    symbols.insert(declaration, loop->getIterator());
    device::EmitOp::create(builder, check.loc, FlatSymbolRefAttr::get(declaration.getSymNameAttr()), extreme.value);
  }
  int64_t limit = extreme.isGreatest ? check.range.highest : check.range.lowest;
  Attribute number = builder.getIntegerAttr(type.getElementType(), limit);
  Value bound = net::ConstantOp::create(builder, check.loc, DenseElementsAttr::get(type, number));
  Value inside = extreme.isGreatest ? net::LessEqualOp::create(builder, check.loc, extreme.value, bound).getResult()
                                    : net::GreaterEqualOp::create(builder, check.loc, extreme.value, bound).getResult();
  device::ContinueIfOp::create(builder, check.loc, inside);
}

void CheckInserter::run() {
  Extremes extremes = visit(loop.getBody().front());
  for (auto [number, extreme] : llvm::enumerate(extremes)) {
    bool isReported =
        number > 0 && extremes[number - 1].value == extreme.value && extremes[number - 1].check == extreme.check;
    report(extreme, isReported);
  }
}

namespace {

struct InsertIndexChecksPass : public plumb::impl::InsertIndexChecksPassBase<InsertIndexChecksPass> {
  void runOnOperation() override {
    SmallVector<device::LoopOp> loops;
    getOperation().walk([&](device::LoopOp loop) { loops.push_back(loop); });
    for (device::LoopOp loop : loops)
      CheckInserter(loop).run();
  }
};

} // namespace
