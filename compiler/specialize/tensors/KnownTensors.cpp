// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that are computed from constants alone: where a program asks for their values, as `x.item()`, int(x) and
// range(x) do, these are computed here. So are conditions such as `if Tensor(3) > self.limit`: only the side that runs
// is interpreted, and what it changes is changed as by any condition that is known.
//
// A tensor is followed back to constants through operations that the net dialect folds, comparisons and negations,
// which have no fold, and calls of typed functions. What does not fold is compiled and run (ConstantPrograms.cpp).
// Conditions of loops do not ask: a loop over a constant counter is to stay a loop.
//
// A function whose body asks for the value of an argument has it from what the call passes, and stands there once per
// value that it has found. It finds none for the arguments of a differentiated function: a number has no gradient.

#include "compiler/specialize/tensors/KnownTensors.h"
#include "compiler/specialize/tensors/Reports.h"

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace plumb::specialize {

/// How many operations a tensor is followed back through.
static constexpr unsigned kMaxFollowed = 64;

namespace {
/// Follows a value back to constants.
class Follower {
public:
  /// `findPassed` knows the arguments of functions that are being written.
  Follower(function_ref<DenseElementsAttr(BlockArgument)> findPassed) : findPassed(findPassed) {}

  DenseElementsAttr find(Value value);

private:
  DenseElementsAttr findArgument(BlockArgument argument);
  DenseElementsAttr findReturned(func::CallOp call, unsigned number);
  DenseElementsAttr fold(Operation *op, ArrayRef<Attribute> operands);

  function_ref<DenseElementsAttr(BlockArgument)> findPassed;
  unsigned followed = 0;
  SmallVector<func::CallOp> calls; ///< Into whose functions it has gone.
};
} // namespace

/// The order of two elements: -1, 0, 1; nothing where one is NaN.
static std::optional<int> getOrder(Attribute x, Attribute y) {
  if (auto number = dyn_cast<FloatAttr>(x)) {
    auto order = number.getValue().compare(cast<FloatAttr>(y).getValue());
    if (order == APFloat::cmpUnordered)
      return std::nullopt;
    return order == APFloat::cmpLessThan ? -1 : order == APFloat::cmpGreaterThan;
  }
  auto number = cast<IntegerAttr>(x);
  const APInt &left = number.getValue(), &right = cast<IntegerAttr>(y).getValue();
  bool isUnsigned = number.getType().isInteger(1) || number.getType().isUnsignedInteger();
  if (left == right)
    return 0;
  return (isUnsigned ? left.ult(right) : left.slt(right)) ? -1 : 1;
}

static bool holds(Operation *op, std::optional<int> order) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<net::EqualOp>([&](auto) { return order == 0; })
      .Case<net::NotEqualOp>([&](auto) { return order != 0; })
      .Case<net::LessOp>([&](auto) { return order == -1; })
      .Case<net::LessEqualOp>([&](auto) { return order == -1 || order == 0; })
      .Case<net::GreaterOp>([&](auto) { return order == 1; })
      .Default([&](Operation *) { return order == 1 || order == 0; });
}

/// A comparison of two constants of one element each.
static DenseElementsAttr compare(Operation *op, ArrayRef<Attribute> operands) {
  auto left = cast<DenseElementsAttr>(operands[0]), right = cast<DenseElementsAttr>(operands[1]);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!left.isSplat() || !right.isSplat() || isa<ComplexType>(left.getElementType()))
    return {};
  auto order = getOrder(left.getSplatValue<Attribute>(), right.getSplatValue<Attribute>());
  return DenseElementsAttr::get(type, BoolAttr::get(op->getContext(), holds(op, order)));
}

static DenseElementsAttr negate(Operation *op, ArrayRef<Attribute> operands) {
  auto value = cast<DenseElementsAttr>(operands[0]);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return value.isSplat() ? DenseElementsAttr::get(type, !value.getSplatValue<bool>()) : DenseElementsAttr();
}

DenseElementsAttr Follower::fold(Operation *op, ArrayRef<Attribute> operands) {
  if (isa<net::EqualOp, net::NotEqualOp, net::LessOp, net::LessEqualOp, net::GreaterOp, net::GreaterEqualOp>(op))
    return compare(op, operands);
  if (isa<net::LogicalNotOp>(op))
    return negate(op, operands);
  SmallVector<OpFoldResult> results;
  if (!isPure(op) || op->getNumResults() != 1 || failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto value = dyn_cast<Value>(results[0]))
    return find(value);
  return dyn_cast<DenseElementsAttr>(cast<Attribute>(results[0]));
}

/// The constant that the innermost call passes for an argument of its function; null where it is none.
DenseElementsAttr Follower::findArgument(BlockArgument argument) {
  if (calls.empty())
    return findPassed(argument);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  if (!function || calls.back().getCallee() != function.getSymName())
    return {};
  func::CallOp call = calls.pop_back_val();
  DenseElementsAttr found = find(call.getOperand(argument.getArgNumber()));
  calls.push_back(call);
  return found;
}

DenseElementsAttr Follower::findReturned(func::CallOp call, unsigned number) {
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  bool isWritten = function && !function.empty() && !function.front().empty();
  auto result = isWritten ? dyn_cast<func::ReturnOp>(function.front().back()) : func::ReturnOp();
  if (!result)
    return {};
  calls.push_back(call);
  DenseElementsAttr found = find(result.getOperand(number));
  calls.pop_back();
  return found;
}

DenseElementsAttr Follower::find(Value value) {
  if (++followed > kMaxFollowed)
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return findArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto call = dyn_cast<func::CallOp>(op))
    return findReturned(call, cast<OpResult>(value).getResultNumber());
  if (auto constant = dyn_cast<net::ConstantOp>(op))
    return dyn_cast<DenseElementsAttr>(constant.getValue());
  if (op->getNumRegions() != 0 || op->getName().getDialectNamespace() != "net")
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    DenseElementsAttr known = find(operand);
    if (!known)
      return {};
    operands.push_back(known);
  }
  return fold(op, operands);
}

/// The elements that a call passes for an argument of a function that is being written.
DenseElementsAttr KnownTensors::findPassed(BlockArgument argument) {
  auto found = passed.find(argument);
  if (found == passed.end())
    return {};
  if (!found->second.elements) {
    Value operand = found->second.operand;
    found->second.elements = operand ? findElements(operand) : DenseElementsAttr();
  }
  return *found->second.elements;
}

void KnownTensors::pass(ValueRange arguments, ArrayRef<Value> operands) {
  for (auto [argument, operand] : llvm::zip(arguments, operands))
    passed[argument] = {operand};
}

SmallVector<std::pair<unsigned, DenseElementsAttr>> KnownTensors::takeAsked(ValueRange arguments) {
  SmallVector<std::pair<unsigned, DenseElementsAttr>> asked;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (auto elements = passed[argument].elements)
      asked.emplace_back(index, *elements);
    passed.erase(argument);
  }
  return asked;
}

bool KnownTensors::fits(const Specialization &made, ValueRange operands) {
  return llvm::all_of(made.asked, [&](auto &asked) {
    Value operand = operands[asked.first];
    return (operand ? findElements(operand) : DenseElementsAttr()) == asked.second;
  });
}

DenseElementsAttr KnownTensors::findElements(Value tensor) {
  if (isDecidingLoop)
    return {};
  auto find = [this](BlockArgument argument) { return findPassed(argument); };
  DenseElementsAttr folded = Follower(find).find(tensor);
  return folded ? folded : compute(tensor, find);
}

AbstractValue KnownTensors::get(const AbstractValue &value) {
  DenseElementsAttr elements = value.isTensor() ? findElements(value.getTensor()) : DenseElementsAttr();
  return elements ? AbstractValue::getConstant(elements) : value;
}

/// Conditions do not ask for what a call passes: one function serves all calls, and decides when it runs.
std::optional<bool> KnownTensors::findTruth(Value condition) {
  auto extract = condition.getDefiningOp<tensor::ExtractOp>();
  auto find = [](BlockArgument) { return DenseElementsAttr(); };
  DenseElementsAttr known = extract ? Follower(find).find(extract.getTensor()) : DenseElementsAttr();
  if (extract && !known)
    known = compute(extract.getTensor(), find);
  if (!known || !known.isSplat() || !known.getElementType().isInteger(1))
    return std::nullopt;
  return known.getSplatValue<bool>();
}

std::optional<int64_t> KnownTensors::getIndex(const AbstractValue &given) {
  AbstractValue value = get(given);
  if (auto number = getElement(value))
    return number->kind == Number::Int ? std::optional<int64_t>(number->integer) : std::nullopt;
  std::optional<int64_t> number = getInteger(asNumber(value));
  Result index =
      !number && isForeign(value) ? live.ask(builder.getUnknownLoc(), "index", {{value}, {}}) : Result(value);
  return number || failed(index) ? number : getInteger(*index);
}

FailureOr<std::array<std::optional<int64_t>, 3>> KnownTensors::getSliceBounds(Location location,
                                                                              const AbstractValue &slice) {
  std::array<std::optional<int64_t>, 3> bounds;
  for (auto [bound, element] : llvm::zip(bounds, slice.getElements())) {
    bound = getIndex(element);
    if (!bound && !isNone(element))
      return errorOn(location, element) << "TypeError: the bounds of a slice must be ints known "
                                        << "while compiling, not " << element.describe();
  }
  if (bounds[2] && *bounds[2] == 0)
    return error(location) << "ValueError: the step of a slice cannot be 0";
  return bounds;
}

} // namespace plumb::specialize
