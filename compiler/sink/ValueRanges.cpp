// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interval arithmetic on the operations that indices are computed with. Tests:
// test/compiler/sink/insert_index_checks.mlir

#include "compiler/sink/ValueRanges.h"

#include "compiler/support/PackageFile.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

static constexpr Interval kAnything = {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};

/// Chains longer than this are not followed: a loop that Python unrolled may add a thousand times.
static constexpr unsigned kMaxDepth = 64;

/// What integers of the type may be; anything for floats and where 64 bits have no sign.
static Interval getLimits(Type type) {
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() > 63)
    return kAnything;
  if (element.isUnsigned() || element.getWidth() == 1)
    return {0, static_cast<int64_t>(llvm::maxUIntN(element.getWidth()))};
  return {llvm::minIntN(element.getWidth()), llvm::maxIntN(element.getWidth())};
}

static bool isUnsigned64(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isUnsignedInteger(64);
}

/// The range of `values`, or `limits` where they are stored elsewhere.
static Interval getConstantRange(ElementsAttr values, Interval limits) {
  auto integers = dyn_cast<DenseIntElementsAttr>(values);
  if (!integers || integers.empty())
    return limits;
  bool isSigned = limits.lowest < 0;
  auto read = [&](const APInt &value) {
    return isSigned ? value.getSExtValue() : static_cast<int64_t>(value.getZExtValue());
  };
  if (integers.isSplat())
    return {read(integers.getSplatValue<APInt>()), read(integers.getSplatValue<APInt>())};
  Interval range = {kAnything.highest, kAnything.lowest};
  for (const APInt &value : integers.getValues<APInt>()) {
    range.lowest = std::min(range.lowest, read(value));
    range.highest = std::max(range.highest, read(value));
  }
  return range;
}

/// What the host lets into a column.
static Interval getColumnRange(OpResult column, Interval limits) {
  auto next = cast<device::GetNextOp>(column.getOwner());
  auto queue = SymbolTable::lookupNearestSymbolFrom<device::QueueOp>(next, next.getQueueAttr());
  auto ranges = queue ? queue->getAttrOfType<ArrayAttr>("device.ranges") : ArrayAttr();
  if (!ranges || column.getResultNumber() >= ranges.size())
    return limits;
  return fromRangeAttribute(ranges[column.getResultNumber()]).value_or(limits);
}

static std::optional<Interval> add(Interval a, Interval b) {
  Interval sum;
  if (llvm::AddOverflow(a.lowest, b.lowest, sum.lowest) || llvm::AddOverflow(a.highest, b.highest, sum.highest))
    return std::nullopt;
  return sum;
}

static std::optional<Interval> subtract(Interval a, Interval b) {
  Interval difference;
  if (llvm::SubOverflow(a.lowest, b.highest, difference.lowest) ||
      llvm::SubOverflow(a.highest, b.lowest, difference.highest))
    return std::nullopt;
  return difference;
}

static std::optional<Interval> multiply(Interval a, Interval b) {
  Interval product = {kAnything.highest, kAnything.lowest};
  for (int64_t x : {a.lowest, a.highest})
    for (int64_t y : {b.lowest, b.highest}) {
      int64_t result;
      if (llvm::MulOverflow(x, y, result))
        return std::nullopt;
      product = {std::min(product.lowest, result), std::max(product.highest, result)};
    }
  return product;
}

/// By a positive divisor: rounding down, or towards zero.
static std::optional<Interval> floorDivide(Interval a, Interval b) {
  if (b.lowest < 1)
    return std::nullopt;
  auto divide = [](int64_t x, int64_t y) { return x >= 0 ? x / y : -((-(x + 1)) / y) - 1; };
  return Interval{std::min(divide(a.lowest, b.lowest), divide(a.lowest, b.highest)),
                  std::max(divide(a.highest, b.lowest), divide(a.highest, b.highest))};
}

/// The remainder by a positive divisor; it has the sign of `a` where `keepsSign`, else none.
static std::optional<Interval> takeRemainder(Interval a, Interval b, bool keepsSign) {
  if (b.lowest < 1)
    return std::nullopt;
  int64_t most = b.highest - 1;
  if (a.lowest >= 0)
    return Interval{0, std::min(most, a.highest)};
  return Interval{keepsSign ? -most : 0, most};
}

/// Arithmetic of two operands, or nothing where it may overflow or has no rule.
static std::optional<Interval> applyBinary(Operation *op, Interval a, Interval b) {
  using Result = std::optional<Interval>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](net::AddOp) { return add(a, b); })
      .Case([&](net::SubOp) { return subtract(a, b); })
      .Case([&](net::MulOp) { return multiply(a, b); })
      .Case([&](net::FloorDivOp) { return floorDivide(a, b); })
      .Case([&](net::ModOp) { return takeRemainder(a, b, false); })
      .Case([&](net::RemOp) { return takeRemainder(a, b, true); })
      .Case([&](net::MaximumOp) -> Result {
        return Interval{std::max(a.lowest, b.lowest), std::max(a.highest, b.highest)};
      })
      .Case([&](net::MinimumOp) -> Result {
        return Interval{std::min(a.lowest, b.lowest), std::min(a.highest, b.highest)};
      })
      .Default([](Operation *) { return Result(); });
}

/// The operands among whose elements those of the result are.
static OperandRange getSources(Operation *op) {
  if (isa<net::ReshapeOp, net::SqueezeOp, net::ExpandDimsOp, net::FlattenOp, net::TransposeOp, net::BroadcastToOp,
          net::SliceOp, net::SplitOp, net::TileOp, net::ConcatOp, net::StackOp, net::ReduceMaxOp, net::ReduceMinOp>(op))
    return op->getOperands();
  if (isa<net::SelectOp>(op))
    return op->getOperands().drop_front();
  return op->getOperands().take_front(0);
}

Interval ValueRanges::join(mlir::ValueRange values) {
  Interval range = get(values.front());
  for (Value value : values.drop_front()) {
    Interval other = get(value);
    range = {std::min(range.lowest, other.lowest), std::max(range.highest, other.highest)};
  }
  return range;
}

/// What the operation that makes `value` tells, which may be more than the type has room for.
std::optional<Interval> ValueRanges::compute(OpResult value, Interval limits) {
  Operation *op = value.getOwner();
  if (OperandRange sources = getSources(op); !sources.empty())
    return join(sources);
  if (isa<device::GetNextOp>(op))
    return getColumnRange(value, limits);
  if (auto constant = dyn_cast<net::ConstantOp>(op))
    return getConstantRange(constant.getValue(), limits);
  if (isa<net::ZerosLikeOp, net::OnesLikeOp>(op))
    return Interval{isa<net::OnesLikeOp>(op), isa<net::OnesLikeOp>(op)};
  if (auto argmax = dyn_cast<net::ArgmaxOp>(op)) {
    auto type = cast<RankedTensorType>(argmax.getX().getType());
    return Interval{0, type.getDimSize((argmax.getAxis() + type.getRank()) % type.getRank()) - 1};
  }
  if (auto index = dyn_cast<net::FromFrontOp>(op)) {
    // Its own operand is checked, and memory is safe in the one step in which it is not so.
    Interval range = get(index.getIndices());
    int64_t last = static_cast<int64_t>(index.getExtent()) - 1;
    return range.lowest >= 0 ? Interval{range.lowest, std::min(range.highest, last)} : Interval{0, last};
  }
  if (auto cast = dyn_cast<net::CastOp>(op); cast && isa<IntegerType>(getElementTypeOrSelf(cast.getX().getType())))
    return get(cast.getX());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return join({branch.thenYield().getOperand(value.getResultNumber()),
                 branch.elseYield().getOperand(value.getResultNumber())});
  if (isa<net::ReluOp>(op)) {
    Interval range = get(op->getOperand(0));
    return Interval{std::max<int64_t>(range.lowest, 0), std::max<int64_t>(range.highest, 0)};
  }
  if (op->getNumOperands() == 2 && op->getNumRegions() == 0 && isa<TensorType>(op->getOperand(0).getType()))
    return applyBinary(op, get(op->getOperand(0)), get(op->getOperand(1)));
  return std::nullopt;
}

Interval ValueRanges::get(Value value) {
  Interval limits = getLimits(value.getType());
  auto result = dyn_cast<OpResult>(value);
  if (!result || isUnsigned64(value.getType()) || !isa<IntegerType>(getElementTypeOrSelf(value.getType())) ||
      depth == kMaxDepth)
    return limits;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  ++depth;
  std::optional<Interval> range = compute(result, limits);
  --depth;
  // What does not fit wraps round.
  if (!range || !range->isInside(limits))
    range = limits;
  return known[value] = *range;
}

//===----------------------------------------------------------------------===//
// For the host
//===----------------------------------------------------------------------===//

/// Adds the lines of nested calls, the innermost first.
static void collectLines(Location loc, SmallVectorImpl<FileLineColLoc> &lines) {
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectLines(call.getCallee(), lines);
    collectLines(call.getCaller(), lines);
  } else if (auto line = loc->findInstanceOf<FileLineColLoc>()) {
    lines.push_back(line);
  }
}

std::string plumb::describeUserLine(Location loc) {
  SmallVector<FileLineColLoc> lines;
  collectLines(loc, lines);
  auto *own = llvm::find_if(lines, [](FileLineColLoc line) { return !isPackageFile(line.getFilename()); });
  if (own == lines.end())
    return "";
  return (" at " + own->getFilename().getValue() + ":" + Twine(own->getLine()) + ":" + Twine(own->getColumn())).str();
}

DictionaryAttr plumb::toRangeAttribute(Builder &builder, Interval range, StringRef use) {
  return builder.getDictionaryAttr({builder.getNamedAttr("highest", builder.getI64IntegerAttr(range.highest)),
                                    builder.getNamedAttr("lowest", builder.getI64IntegerAttr(range.lowest)),
                                    builder.getNamedAttr("use", builder.getStringAttr(use))});
}

std::optional<Interval> plumb::fromRangeAttribute(Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  auto lowest = entries ? entries.getAs<IntegerAttr>("lowest") : nullptr;
  auto highest = entries ? entries.getAs<IntegerAttr>("highest") : nullptr;
  if (!lowest || !highest)
    return std::nullopt;
  return Interval{lowest.getInt(), highest.getInt()};
}
