// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inner functions. One sees the names of the function that made it, with the
// values that they have when it is called:
//
//   def outer(x):
//     y = 1
//     f = lambda z: z + y         a closure of @outer.lambda(z, y) over "y"
//     y = 2
//     return f(x)                 called with y = 2
//
// While the frame that made it runs, a closure reads the frame's names when it
// is called. Whenever it leaves the frame, as an argument or a result, it is
// refreshed: it then carries the names' values, which cannot change any more
// before the frame goes on.

#include "compiler/specialize/Interpreter.h"

using namespace mlir;

namespace plumb::specialize {

/// What the front end makes of a definition: the function's symbol, then the
/// names that it captures.
Result Interpreter::makeClosure(const Arguments &arguments) {
  SmallVector<Attribute> parts;
  for (const AbstractValue &part : arguments.positional)
    parts.push_back(part.getConstant());
  SmallVector<AbstractValue> captured(
      parts.size() - 1,
      AbstractValue::getUndefined(context(), "inner functions that call each other in a circle cannot "
                                             "be compiled; pass one to the other as an argument"));
  AbstractValue closure = AbstractValue::getClosure(builder.getArrayAttr(parts), captured, frame);
  refresh(closure);
  return closure;
}

/// The names that a closure captures.
static ArrayRef<Attribute> getCapturedNames(const AbstractValue &closure) {
  return llvm::cast<ArrayAttr>(closure.getConstant()).getValue().drop_front();
}

static FlatSymbolRefAttr getSymbol(const AbstractValue &closure) {
  return llvm::cast<FlatSymbolRefAttr>(llvm::cast<ArrayAttr>(closure.getConstant()).getValue().front());
}

/// Gives the closures of this frame inside `value` the names' present values.
/// One that captures itself holds its own symbol instead.
void Interpreter::refresh(const AbstractValue &value) {
  SmallPtrSet<const void *, 8> seen;
  std::function<void(const AbstractValue &, bool)> visit = [&](const AbstractValue &each, bool nested) {
    if (each.getElements().empty() && !each.isClosure())
      return;
    if (!seen.insert(each.getIdentity()).second)
      return;
    if (!each.isClosure() || each.getFrame() != frame) {
      for (const AbstractValue &element : each.getElements())
        visit(element, nested);
      return;
    }
    SmallVector<AbstractValue> captured(each.getElements());
    for (auto [name, slot] : llvm::zip(getCapturedNames(each), captured)) {
      auto found = state.names.find(llvm::cast<StringAttr>(name));
      // A default is computed once, where the function is defined.
      bool isDefault = llvm::cast<StringAttr>(name).getValue().starts_with("$=");
      if (found == state.names.end() || (isDefault && !slot.isUndefined()))
        continue;
      bool mine = found->second.isClosure() && found->second.getFrame() == frame;
      if (mine && found->second.getConstant() == each.getConstant()) {
        slot = AbstractValue::getConstant(getSymbol(each));
        continue;
      }
      if (mine && nested)
        continue;
      slot = found->second;
      if (mine) { // A copy, so that no closure holds itself.
        slot = AbstractValue::getClosure(llvm::cast<ArrayAttr>(slot.getConstant()), slot.getElements(), frame);
        visit(slot, /*nested=*/true);
      } else if (!slot.isClosure()) { // Lists and tuples may hold closures.
        visit(slot, nested);
      }
    }
    each.setElements(captured);
  };
  visit(value, false);
}

net::PythonFuncOp Interpreter::getFunctionOf(const AbstractValue &closure) {
  return symbols.lookup<net::PythonFuncOp>(getSymbol(closure).getValue());
}

Arguments Interpreter::addCaptured(const AbstractValue &closure, const Arguments &arguments) {
  refresh(closure);
  Arguments all = arguments;
  for (auto [name, value] : llvm::zip(getCapturedNames(closure), closure.getElements())) {
    bool isItself = value.isConstant() && value.getConstant() == getSymbol(closure);
    all.keywords.emplace_back(llvm::cast<StringAttr>(name), isItself ? closure : value);
  }
  return all;
}

} // namespace plumb::specialize
