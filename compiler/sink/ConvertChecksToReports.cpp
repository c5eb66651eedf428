// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns expectations of test programs into results of their entry function, which the next pass makes reports: one
// number per expectation, the count of mismatching elements.
//
//   check.expect_eq %a, %b                    %d = net.not_equal %a, %b
//   return %loss                      ►       %n = net.reduce_sum (net.cast %d to i32)
//                                             return %loss, %n
//
// Counting on the device keeps the expectation itself under test: a NaN, a wrong lane or a skipped tail element all
// show up as a count. Covered by convert_checks_to_reports.mlir and by every test in test/e2e that uses `check`.

#include "compiler/sink/Passes.h"

#include "dialects/check/ir/Check.h"
#include "dialects/net/ir/Net.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTCHECKSTOREPORTSPASS
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// One expectation as a result: its report's name, and its count.
struct Expectation {
  std::string name;
  Value count;
};

} // namespace

/// A 0-D constant of `type`'s elements; net's binary operations broadcast it.
static Value makeScalar(OpBuilder &builder, Location loc, RankedTensorType type, double value) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  APFloat number(value);
  bool lossy = false;
  number.convert(cast<FloatType>(type.getElementType()).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  return net::ConstantOp::create(builder, loc, DenseElementsAttr::get(scalar, number));
}

static Value countTrue(OpBuilder &builder, Location loc, Value flags) {
  Type i32 = builder.getI32Type();
  Value numbers = net::CastOp::create(builder, loc, flags, TypeAttr::get(i32));
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, cast<RankedTensorType>(flags.getType()).getRank()));
  return axes.empty() ? numbers : net::ReduceSumOp::create(builder, loc, numbers, axes, false).getResult();
}

static Value countMismatches(OpBuilder &builder, check::ExpectEqOp op) {
  Value differ = net::NotEqualOp::create(builder, op.getLoc(), op.getActual(), op.getExpected());
  return countTrue(builder, op.getLoc(), differ);
}

/// Negating "close" instead of asking for "far" makes a NaN a mismatch.
static Value countMismatches(OpBuilder &builder, check::ExpectCloseOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getActual().getType());
  Value difference = net::SubOp::create(builder, loc, op.getActual(), op.getExpected());
  Value distance = net::AbsOp::create(builder, loc, difference);
  Value size = net::AbsOp::create(builder, loc, op.getExpected());
  Value rtol = makeScalar(builder, loc, type, op.getRtol().convertToDouble());
  Value relative = net::MulOp::create(builder, loc, size, rtol);
  Value atol = makeScalar(builder, loc, type, op.getAtol().convertToDouble());
  Value bound = net::AddOp::create(builder, loc, relative, atol);
  Value close = net::LessEqualOp::create(builder, loc, distance, bound);
  return countTrue(builder, loc, net::LogicalNotOp::create(builder, loc, close));
}

/// Replaces the expectations of `function`; their reports are numbered in program order.
static SmallVector<Expectation> expandExpectations(func::FuncOp function) {
  SmallVector<Expectation> expectations;
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    OpBuilder builder(&op);
    Value count;
    if (auto equal = dyn_cast<check::ExpectEqOp>(op))
      count = countMismatches(builder, equal);
    else if (auto close = dyn_cast<check::ExpectCloseOp>(op))
      count = countMismatches(builder, close);
    else
      continue;
    std::string name = op.getName().stripDialect().str() + "_" + std::to_string(expectations.size());
    expectations.push_back({std::move(name), count});
    op.erase();
  }
  return expectations;
}

/// Adds the counts behind the function's tensor results, before its state tokens.
static void returnCounts(func::FuncOp function, ArrayRef<Expectation> expectations) {
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  SmallVector<Value> values(ret.getOperands());
  auto *tokens = llvm::find_if(values, [](Value value) { return !isa<TensorType>(value.getType()); });
  auto counts = llvm::map_range(expectations, [](const Expectation &expectation) { return expectation.count; });
  values.insert(tokens, counts.begin(), counts.end());
  ret->setOperands(values);
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), TypeRange(ValueRange(values))));
}

/// Names the new results; results that had no name yet are called as `net.entry` documents it.
static void nameReports(net::EntryOp entry, unsigned results, ArrayRef<Expectation> expectations) {
  SmallVector<Attribute> names;
  Builder builder(entry.getContext());
  if (auto reports = entry.getReportsAttr())
    llvm::append_range(names, reports);
  while (names.size() < results)
    names.push_back(builder.getStringAttr("output" + (names.empty() ? "" : std::to_string(names.size()))));
  for (const Expectation &expectation : expectations)
    names.push_back(builder.getStringAttr(expectation.name));
  entry.setReportsAttr(builder.getArrayAttr(names));
}

namespace {

struct ConvertChecksToReportsPass : plumb::impl::ConvertChecksToReportsPassBase<ConvertChecksToReportsPass> {
  void runOnOperation() override {
    for (auto entry : getOperation().getOps<net::EntryOp>())
      if (auto callee = dyn_cast<FlatSymbolRefAttr>(entry.getCallee()))
        if (auto function = getOperation().lookupSymbol<func::FuncOp>(callee.getAttr()))
          convert(entry, function);
    rejectNested();
  }

private:
  static void convert(net::EntryOp entry, func::FuncOp function) {
    SmallVector<Expectation> expectations = expandExpectations(function);
    if (expectations.empty())
      return;
    unsigned results = llvm::count_if(function.getResultTypes(), [](Type type) { return isa<TensorType>(type); });
    returnCounts(function, expectations);
    nameReports(entry, results, expectations);
  }

  /// A branch or loop may not run: its expectation would have no value to report.
  void rejectNested() {
    getOperation().walk([&](Operation *op) {
      if (!isa<check::ExpectEqOp, check::ExpectCloseOp>(op))
        return;
      op->emitOpError("must stand directly in the entry's function, not in a branch or loop");
      signalPassFailure();
    });
  }
};

} // namespace
