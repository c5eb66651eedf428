// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `raise` and `assert` on what only the running program knows.
//
// Outside of conditions on tensors a `raise` is an error of compilation, which a `try` may handle (Exceptions.cpp).
// Under such a condition it becomes a `check.assert` that fails whenever it is reached, and the run of statements ends
// there:
//
//   if x.sum() < 0:                            scf.if %negative {
//       raise ValueError("negative")    =>       check.assert %one, "ValueError: negative"
//   return x * 2                               }
//
// Nothing that a launch computes behind a failed assertion matters, so the branch above yields nothing that says
// whether it was taken, and what follows it stands outside of branches. Where a `try` stands around, an exception is a
// way out of what it is raised in instead, up to the handlers (Exceptions.cpp).

#include "compiler/specialize/run/Raises.h"

#include "compiler/specialize/tensors/PackageLocation.h"
#include "compiler/specialize/tensors/Reports.h"
#include "dialects/check/ir/Check.h"

using namespace mlir;

namespace plumb::specialize {

LogicalResult Raises::refuseHandled(Location location, std::optional<Location> raised) {
  auto diagnostic =
      refuse(location)
      << "a compiled function cannot handle what is raised under a condition on a tensor in a function "
      << "that another operation calls, as 'map' and 'sorted' do, or in a cell with a 'bprop': the launch "
      << "ends there; call it in a loop, take it out of the 'try' or 'with', or choose the other value "
      << "with 'if'";
  if (raised)
    diagnostic.attachNote(*raised) << "raised here";
  return diagnostic;
}

bool Raises::mayThrow(const AbstractValue &function) const {
  return isLive() && run.frame.throwing && !function.getAs<net::PrimitiveAttr>();
}

/// The text of a format without values.
static std::string unescapeBraces(StringRef format) {
  std::string text;
  for (size_t i = 0; i < format.size(); ++i) {
    text += format[i];
    i += format[i] == '{' || format[i] == '}'; // the second of a pair
  }
  return text;
}

/// What the package has no code for, it raises as that.
static bool isOfPackage(Location location, StringRef format) {
  return isInPackage(location) && format.starts_with("NotImplementedError");
}

/// Hands an exception to the `try` around, which is in this function or another one: where the tensor `taken` holds, or
/// in any case. `exception` is the live object, or its class, where the program has it.
LogicalResult Raises::throwException(Location location, StringRef format, ArrayRef<Value> values,
                                     const AbstractValue &taken, const AbstractValue &exception) {
  if (!run.frame.throwing)
    return refuseHandled(location);
  auto [name, text] = format.split(": ");
  Arguments question{{string(name), string(unescapeBraces(text))}, {}};
  if (!exception.isUndefined())
    question.positional.push_back(exception);
  Result object = isLive() ? live.ask(location, "exception", question) : Result(none());
  if (failed(object))
    return failure();
  auto tensors = llvm::map_to_vector(values, [](Value value) { return AbstractValue::getTensor(value); });
  run.frame.pending.push_back(Thrown{location, *object, format.str(), AbstractValue::getTuple(tensors), taken});
  return success();
}

LogicalResult Raises::raise(Location location, StringRef format, ArrayRef<Value> values,
                            const AbstractValue &exception) {
  if (values.empty() && isStatic())
    return (isOfPackage(location, format) ? refuse(location) : error(location)) << unescapeBraces(format);
  if (run.attempted)
    return throwException(location, format, values, {}, exception);
  Value one = writer.makeScalar(location, Number{Number::Int, 1}, builder.getI32Type());
  check::AssertOp::create(builder, location, one, format, /*at_once=*/true, values);
  run.frame.raises = location;
  run.frame.hasRaised = true;
  return success();
}

/// Needs no branch: the number that must be zero is the boolean.
LogicalResult Raises::raiseIf(Location location, const AbstractValue &fails, StringRef text) {
  if (run.attempted)
    return throwException(location, escapeBraces(text), {}, fails);
  return endLaunchIf(location, fails, escapeBraces(text), {});
}

LogicalResult Raises::endLaunchIf(Location location, const AbstractValue &fails, StringRef format, ValueRange values) {
  auto number = writer.cast(location, fails.getTensor(), builder.getI32Type());
  if (failed(number))
    return failure();
  check::AssertOp::create(builder, location, *number, format, /*at_once=*/true, values);
  run.frame.raises = location;
  return success();
}

LogicalResult Raises::noteRaises(Location location, const Specialization &specialization) {
  if (!specialization.raises)
    return success();
  if (run.attempted)
    return refuseHandled(location, specialization.raises);
  if (!run.frame.raises)
    run.frame.raises = specialization.raises;
  return success();
}

} // namespace plumb::specialize
