// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on numbers known now, with Python's rules: / is true division, //
// and % round towards minus infinity, overflow of 64 bits is an error.

#include "compiler/specialize/interpreter/Operators.h"
#include "compiler/specialize/tensors/Numbers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace plumb::specialize {

static std::optional<bool> compare(StringRef name, const Number &left, const Number &right) {
  int order = compareNumbers(left, right);
  bool less = order == -1, equal = order == 0, greater = order == 1;
  return llvm::StringSwitch<std::optional<bool>>(name)
      .Case("eq", equal)
      .Case("ne", !equal)
      .Case("lt", less)
      .Case("le", less || equal)
      .Case("gt", greater)
      .Case("ge", greater || equal)
      .Default(std::nullopt);
}

static int64_t floorDivide(int64_t left, int64_t right) {
  int64_t quotient = left / right;
  return quotient - ((left % right != 0) && ((left < 0) != (right < 0)));
}

static std::optional<double> computeReal(StringRef name, double left, double right) {
  if (name == "add")
    return left + right;
  if (name == "sub")
    return left - right;
  if (name == "mul")
    return left * right;
  if (name == "truediv")
    return left / right;
  if (name == "floordiv")
    return std::floor(left / right);
  if (name == "mod")
    return left - std::floor(left / right) * right;
  if (name == "pow")
    return std::pow(left, right);
  if (name == "maximum")
    return std::max(left, right);
  if (name == "minimum")
    return std::min(left, right);
  return std::nullopt;
}

/// base ** exponent by squaring; true on overflow.
static bool raise(int64_t base, int64_t exponent, int64_t &result) {
  result = 1;
  bool overflow = false, squareOverflow = false;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1)
      overflow |= squareOverflow | llvm::MulOverflow(result, base, result);
    squareOverflow |= llvm::MulOverflow(base, base, base);
  }
  return overflow;
}

/// Computes on integers; null if the operator is unknown, true in `overflow` if
/// the result needs more than 64 bits.
static std::optional<int64_t> computeInteger(StringRef name, int64_t left, int64_t right, bool &overflow) {
  int64_t result = 0;
  if (name == "add")
    overflow = llvm::AddOverflow(left, right, result);
  else if (name == "sub")
    overflow = llvm::SubOverflow(left, right, result);
  else if (name == "mul")
    overflow = llvm::MulOverflow(left, right, result);
  else if (name == "pow")
    overflow = raise(left, right, result);
  else if (name == "floordiv" || name == "mod")
    overflow = left == INT64_MIN && right == -1;
  else if (name == "lshift")
    overflow = right < 0 || right > 62 || (left << right) >> right != left;
  if (overflow)
    return 0;
  return llvm::StringSwitch<std::function<std::optional<int64_t>()>>(name)
      .Cases({"add", "sub", "mul", "pow"}, [&] { return result; })
      .Case("floordiv", [&] { return floorDivide(left, right); })
      .Case("mod", [&] { return left - floorDivide(left, right) * right; })
      .Case("lshift", [&] { return left << right; })
      .Case("rshift", [&] { return left >> std::clamp<int64_t>(right, 0, 63); })
      .Case("and", [&] { return left & right; })
      .Case("or", [&] { return left | right; })
      .Case("xor", [&] { return left ^ right; })
      .Case("maximum", [&] { return std::max(left, right); })
      .Case("minimum", [&] { return std::min(left, right); })
      .Default([] { return std::optional<int64_t>(); })();
}

AbstractValue Operators::makeNaN() {
  constexpr uint64_t quiet = 0x7FF8ull << 48, own = 1ull << 28; // Those that Python makes have smaller numbers.
  return real(llvm::bit_cast<double>(quiet | own | ++countNaNs));
}

Result Operators::foldNumbers(Location location, StringRef name, Number left, Number right) {
  if (auto comparison = compare(name, left, right))
    return makeBool(*comparison);
  bool bitwise = name == "and" || name == "or" || name == "xor";
  if (left.kind == Number::Bool && right.kind == Number::Bool && bitwise)
    return makeBool(name == "and"  ? left.integer & right.integer
                    : name == "or" ? left.integer | right.integer
                                   : left.integer ^ right.integer);
  bool divides = name == "truediv" || name == "floordiv" || name == "mod";
  if (divides && right.asReal() == 0)
    return error(location) << "ZeroDivisionError: division by zero";
  bool areWhole = left.kind != Number::Float && right.kind != Number::Float;
  bool inverse = name == "pow" && areWhole && right.integer < 0;
  if (inverse && left.integer == 0)
    return error(location) << "ZeroDivisionError: 0.0 cannot be raised to a negative power";
  if (areWhole && name != "truediv" && !inverse) {
    bool overflow = false;
    auto result = computeInteger(name, left.integer, right.integer, overflow);
    if (overflow && isLive())
      return live.ask(location, "operator", {{string(name), integer(left.integer), integer(right.integer)}, {}});
    if (overflow)
      return refuse(location) << "OverflowError: this number does not fit into 64 bits";
    if (result)
      return integer(*result);
  } else if (auto result = computeReal(name, left.asReal(), right.asReal())) {
    return std::isnan(*result) ? makeNaN() : real(*result);
  }
  return error(location) << "TypeError: unsupported operands: "
                         << "'" << name << "' of numbers of these types";
}

} // namespace plumb::specialize
