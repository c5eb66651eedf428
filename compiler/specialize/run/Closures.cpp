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
// before the frame goes on. Where a call hands it back, it is the closure that
// was passed, which sees the frame's names again. Functions that see each other would hold each other:
//
//   def even(n): return True if n == 0 else odd(n - 1)
//   def odd(n): return False if n == 0 else even(n - 1)
//
// `even` holds a copy of `odd` that holds the symbol @even, which stands for the
// closure around it, and is replaced by that when `odd` is taken out.

#include "compiler/specialize/run/Closures.h"

using namespace mlir;

namespace plumb::specialize {

AbstractValue Closures::make(const Arguments &arguments) {
  if (arguments.positional.size() == 1)
    return AbstractValue::getInner(arguments.positional[0].getConstant());
  SmallVector<Attribute> parts;
  for (const AbstractValue &part : arguments.positional)
    parts.push_back(part.getConstant());
  SmallVector<AbstractValue> captured;
  for (Attribute name : ArrayRef(parts).drop_front())
    captured.push_back(AbstractValue::getUndefined(context(),
                                                   "NameError: the inner function is called before '" +
                                                       llvm::cast<StringAttr>(name).getValue() +
                                                       "', which it sees, has a value",
                                                   /*notes=*/{}, /*isException=*/true));
  AbstractValue closure = AbstractValue::getClosure(builder.getArrayAttr(parts), captured, run.frame.number);
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

/// Gives closures of a frame the present values of its names.
class Closures::Refresher {
public:
  explicit Refresher(Run &run) : run(run) {}

  void visit(const AbstractValue &value);

private:
  static constexpr size_t kNone = ~size_t(0);

  bool isMine(const AbstractValue &value) const { return value.isClosure() && value.getFrame() == run.frame.number; }
  size_t fill(const AbstractValue &closure);
  size_t capture(const AbstractValue &value, AbstractValue &slot);
  bool holdsMine(const AbstractValue &value) const;
  size_t captureTuple(const AbstractValue &tuple, AbstractValue &slot);

  Run &run;
  SmallPtrSet<const void *, 8> seen;
  SmallVector<Attribute> path; ///< The closures that are being filled, each inside of the one before.
  llvm::DenseMap<const void *, AbstractValue> copies;
};

void Closures::Refresher::visit(const AbstractValue &value) {
  if ((value.getElements().empty() && !value.isClosure()) || !seen.insert(value.getIdentity()).second)
    return;
  if (isMine(value)) {
    auto outer = std::exchange(path, {});
    fill(value);
    path = std::move(outer);
    return;
  }
  value.walkParts([&](const AbstractValue &part) { visit(part); });
}

/// Gives a closure what it captures. Returns the place in the path of the outermost closure that stands inside by its
/// symbol.
size_t Closures::Refresher::fill(const AbstractValue &closure) {
  SmallVector<AbstractValue> captured(closure.getElements());
  path.push_back(getSymbol(closure));
  size_t outermost = kNone;
  for (auto [name, slot] : llvm::zip(getCapturedNames(closure), captured)) {
    auto known = run.state.names.find(llvm::cast<StringAttr>(name));
    // A default is computed once, where the function is defined.
    bool isDefault = llvm::cast<StringAttr>(name).getValue().starts_with("$=");
    if (known != run.state.names.end() && (!isDefault || slot.isUndefined()))
      outermost = std::min(outermost, capture(known->second, slot));
  }
  path.pop_back();
  closure.setElements(captured);
  return outermost < path.size() ? outermost : kNone;
}

static bool isTuple(const AbstractValue &value) { return value.isSequence() && !value.isContainer(); }

/// Whether tuples inside of each other hold a closure of the frame.
bool Closures::Refresher::holdsMine(const AbstractValue &value) const {
  return isMine(value) || (isTuple(value) && llvm::any_of(value.getElements(), [&](const AbstractValue &element) {
                             return holdsMine(element);
                           }));
}

/// A tuple that holds closures of the frame is captured as a copy that holds what is captured of them.
size_t Closures::Refresher::captureTuple(const AbstractValue &tuple, AbstractValue &slot) {
  SmallVector<AbstractValue> elements(tuple.getElements());
  size_t outermost = kNone;
  for (AbstractValue &element : elements) {
    AbstractValue value = element;
    outermost = std::min(outermost, capture(value, element));
  }
  slot = tuple.withElements(elements);
  return outermost;
}

/// A closure of the frame is captured as a copy, so that none holds itself; one that the copy stands in, by its symbol.
size_t Closures::Refresher::capture(const AbstractValue &value, AbstractValue &slot) {
  if (isTuple(value) && holdsMine(value))
    return captureTuple(value, slot);
  if (!isMine(value)) {
    slot = value;
    if (!slot.isClosure())
      visit(slot); // Lists and tuples may hold closures.
    return kNone;
  }
  if (auto *around = llvm::find(path, getSymbol(value)); around != path.end()) {
    slot = AbstractValue::getConstant(*around);
    return around - path.begin();
  }
  AbstractValue &copy = copies[value.getIdentity()];
  if (copy.isClosure()) {
    slot = copy;
    return kNone;
  }
  slot = AbstractValue::getClosure(llvm::cast<ArrayAttr>(value.getConstant()), value.getElements(), run.frame.number)
             .setOrigin(*value.getOrigin());
  size_t outermost = fill(slot);
  if (outermost == kNone)
    copies[value.getIdentity()] = slot;
  return outermost;
}

void Closures::refresh(const AbstractValue &value) { Refresher(run).visit(value); }

/// What a closure captures, with the closure itself where its symbol stands for it.
static AbstractValue resolve(const AbstractValue &value, const AbstractValue &closure) {
  if (value.isConstant() && value.getConstant() == getSymbol(closure))
    return closure;
  if (!(value.isClosure() || isTuple(value)) || (value.isClosure() && getSymbol(value) == getSymbol(closure)))
    return value;
  SmallVector<AbstractValue> captured;
  for (const AbstractValue &element : value.getElements())
    captured.push_back(resolve(element, closure));
  return isIdentical(value, value.withElements(captured)) ? value : value.withElements(captured);
}

net::PythonFuncOp Closures::getFunction(const AbstractValue &closure) {
  return symbols.lookup<net::PythonFuncOp>(getSymbol(closure).getValue());
}

Arguments Closures::addCaptured(const AbstractValue &closure, const Arguments &arguments) {
  refresh(closure);
  Arguments all{arguments.positional, {}, static_cast<unsigned>(closure.getElements().size())};
  for (auto [name, value] : llvm::zip(getCapturedNames(closure), closure.getElements()))
    all.keywords.emplace_back(llvm::cast<StringAttr>(name), resolve(value, closure));
  llvm::append_range(all.keywords, arguments.keywords);
  return all;
}

} // namespace plumb::specialize
