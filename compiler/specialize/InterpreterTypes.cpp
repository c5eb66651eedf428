// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/InterpreterTypes.h"

#include "dialects/net/ir/NetBase.h"

using namespace mlir;

namespace plumb::specialize {

const AbstractValue *Arguments::find(unsigned index, StringRef name) const {
  if (index < positional.size())
    return &positional[index];
  for (auto &[keyword, value] : keywords)
    if (keyword == name)
      return &value;
  return nullptr;
}

std::optional<int64_t> getInteger(const AbstractValue &value) {
  auto number = getNumber(value);
  if (!number || number->kind == Number::Float)
    return std::nullopt;
  return number->integer;
}

bool isNone(const AbstractValue &value) { return static_cast<bool>(value.getAs<net::NoneAttr>()); }

bool isKnown(const AbstractValue &value) {
  bool known = true;
  value.walkTensors([&](Value) { known = false; });
  return known;
}

bool isKnown(const Arguments &arguments) {
  return llvm::all_of(arguments.positional, [](auto &value) { return isKnown(value); }) &&
         llvm::all_of(arguments.keywords, [](auto &entry) { return isKnown(entry.second); });
}

Result toResult(FailureOr<Value> tensor) {
  return failed(tensor) ? Result(failure()) : Result(AbstractValue::getTensor(*tensor));
}

} // namespace plumb::specialize
