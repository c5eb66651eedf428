// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the abstract interpreter knows about one Python value.
//
// A value is either data that exists only when the step runs (a tensor, held
// as the SSA value that computes it) or something that is known now (numbers,
// strings, cells, functions, parameters: held as the attribute that names it),
// or a Python container of such values. Everything that is known now vanishes
// from the program that specialize writes; only tensors stay.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_ABSTRACTVALUE_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_ABSTRACTVALUE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumb::specialize {

class AbstractValue;

/// The keys of a dict, in their order. Each has a form, an attribute by which equal keys are equal (see getKey), and
/// which tells all of a key that is a constant. Where a key is an object that is told by which one it is, or holds one
/// (a function made inside, a bound method, a frozenset of such), the keys stand there as values, too.
class Keys {
public:
  Keys() = default;
  Keys(mlir::ArrayAttr forms) : forms(forms) {}
  /// Nothing where one of the values has no form.
  static std::optional<Keys> get(mlir::MLIRContext *context, llvm::ArrayRef<AbstractValue> values);

  explicit operator bool() const { return static_cast<bool>(forms); }
  size_t size() const { return forms.size(); }
  mlir::ArrayAttr getForms() const { return forms; }
  auto begin() const { return forms.begin(); }
  auto end() const { return forms.end(); }
  mlir::Attribute operator[](size_t index) const { return forms[index]; }
  bool operator==(const Keys &other) const { return forms == other.forms; }
  bool operator!=(const Keys &other) const { return forms != other.forms; }

  std::vector<AbstractValue> getValues() const;
  /// The values that stand beside the forms, all or none.
  llvm::ArrayRef<AbstractValue> getObjects() const;
  bool hasObjects() const { return static_cast<bool>(objects); }
  /// The same keys as they are elsewhere.
  Keys withObjects(llvm::ArrayRef<AbstractValue> others) const;
  /// With one more, of that form.
  Keys with(const AbstractValue &key, mlir::Attribute form) const;
  Keys without(size_t place) const;

private:
  Keys(mlir::ArrayAttr forms, llvm::ArrayRef<AbstractValue> values);

  mlir::ArrayAttr forms;
  std::shared_ptr<const std::vector<AbstractValue>> objects;
};

/// One Python value as far as it is known while compiling. Cheap to copy;
/// copies of a list share its elements, as in Python.
class AbstractValue {
public:
  enum class Kind {
    Undefined,  ///< No usable value; `constant` says why, for the error.
    Tensor,     ///< Computed at run time by `tensor`.
    Constant,   ///< Known now: `constant`.
    Sequence,   ///< A tuple of `elements`.
    List,       ///< A list of `elements`, shared by all who hold it.
    Dictionary, ///< `elements` under the shared `keys`, in order.
    Set,        ///< Constant `elements`, each once.
    Iterator,   ///< What is left of it in `elements`; shared by all who hold it.
    Slice,      ///< start, stop, step in `elements`.
    View,       ///< What the method `constant` of the dict elements[0] gives when it is read.
    Method,     ///< Method named by `constant` of the value elements[0].
    Gradient,   ///< Gradient function of elements[0]; `constant` has options.
    Text,       ///< A text that shows the tensors `elements`; `constant` has its pieces.
    Choice,     ///< One of elements[1], … by the tensor elements[0]: callables.
    Closure     ///< The inner function constant[0] with the values `elements`
                ///< of the outer names in the rest of `constant`.
  };

  AbstractValue() = default;

  static AbstractValue getTensor(mlir::Value tensor);
  static AbstractValue getConstant(mlir::Attribute constant);
  /// A tuple; with a `type`, one whose elements have names: an instance of that class.
  static AbstractValue getTuple(mlir::ArrayRef<AbstractValue> elements, mlir::Attribute type = {});
  /// A list that may still grow, created at nesting depth `depth` of dynamic
  /// regions: growing it in a deeper one would depend on a tensor's value.
  static AbstractValue getList(mlir::ArrayRef<AbstractValue> elements, unsigned depth);
  /// The items that are left are a list where all of them are taken if the `mark` is a unit, else a tuple. With another
  /// mark it is one that computes its items.
  static AbstractValue getIterator(mlir::ArrayRef<AbstractValue> elements, unsigned depth, mlir::Attribute mark = {});
  /// With a `mark`, one of a class of Python's library: the class, and what a defaultdict calls for a missing key.
  static AbstractValue getDictionary(const Keys &keys, mlir::ArrayRef<AbstractValue> elements,
                                     mlir::ArrayAttr mark = {});
  /// The class of a dict, and what it calls for a missing key; null for a plain one.
  mlir::ArrayAttr getMark() const {
    return llvm::dyn_cast_or_null<mlir::ArrayAttr>(isDictionary() ? constant : nullptr);
  }
  /// With a `mark`, one that never changes: a frozenset.
  static AbstractValue getSet(mlir::ArrayRef<AbstractValue> elements, mlir::Attribute mark = {});
  /// An inner function made in the frame `frame`, whose names it sees while
  /// that frame runs; `captured` are their values otherwise.
  static AbstractValue getClosure(mlir::ArrayAttr functionAndNames, mlir::ArrayRef<AbstractValue> captured,
                                  unsigned frame);
  /// An inner function that sees no names: the constant `function`, of which each definition that runs makes another.
  static AbstractValue getInner(mlir::Attribute function);
  static AbstractValue getSlice(mlir::ArrayRef<AbstractValue> bounds);
  static AbstractValue getMethod(AbstractValue receiver, mlir::StringAttr name);
  /// What `object.method` of an object of the program's gives: a new one each time.
  static AbstractValue getBound(mlir::Attribute method);
  static AbstractValue getView(AbstractValue dictionary, mlir::StringAttr method);
  /// A text of `pieces`: strings, and booleans that stand for the `tensors` in order, true for one as `repr` shows it.
  static AbstractValue getText(mlir::ArrayAttr pieces, mlir::ArrayRef<AbstractValue> tensors);
  static AbstractValue getGradient(AbstractValue function, mlir::DictionaryAttr options);
  /// What `functions[number]` is for a tensor `number`, which counts from 0.
  static AbstractValue getChoice(mlir::ArrayRef<AbstractValue> elements);
  /// A name without a usable value; `why` is the error that its use raises, an exception of Python's or else a
  /// refusal, and the notes point at the two sides that disagree.
  static AbstractValue getUndefined(mlir::MLIRContext *context, const llvm::Twine &why,
                                    mlir::ArrayRef<mlir::Location> notes = {}, bool isException = false);

  /// An attribute that only some ways have set: it is `value` where the boolean tensor `isSet` holds. To all who do not
  /// know of such ones it is the name without a usable value `undefined`.
  static AbstractValue getPartial(const AbstractValue &undefined, const AbstractValue &isSet,
                                  const AbstractValue &value);

  Kind getKind() const { return kind; }
  bool isTensor() const { return kind == Kind::Tensor; }
  /// Whether it is a number to the program that the run computes (WeakTypes.h).
  bool isWeak() const;
  bool isConstant() const { return kind == Kind::Constant; }
  /// A tuple or a list.
  bool isSequence() const { return kind == Kind::Sequence || kind == Kind::List; }
  bool isList() const { return kind == Kind::List; }
  bool isSet() const { return kind == Kind::Set; }
  bool isFrozenSet() const { return isSet() && static_cast<bool>(constant); }
  bool isIterator() const { return kind == Kind::Iterator; }
  bool isIteratorOfList() const { return isIterator() && llvm::isa_and_nonnull<mlir::UnitAttr>(constant); }
  /// An iterator of numbers without an end: its elements are a record and the next number, `constant` is the step.
  bool isCounter() const { return isIterator() && constant && !isIteratorOfList() && !isGenerator(); }
  /// An iterator of what a function makes of the items of another iterator; see Generators.cpp.
  bool isGenerator() const { return isIterator() && llvm::isa_and_nonnull<mlir::StringAttr>(constant); }
  bool isClosure() const { return kind == Kind::Closure; }
  /// A list, dict, set or iterator: two of equal contents are not the same object.
  bool isContainer() const {
    return kind == Kind::List || kind == Kind::Dictionary || kind == Kind::Set || kind == Kind::Iterator;
  }
  bool isDictionary() const { return kind == Kind::Dictionary; }
  bool isText() const { return kind == Kind::Text; }
  bool isSlice() const { return kind == Kind::Slice; }
  bool isView() const { return kind == Kind::View; }
  bool isUndefined() const { return kind == Kind::Undefined; }
  bool isPartial() const { return isUndefined() && shared; }

  /// Of a name without a usable value: the error, whether that is an exception of Python's, and the notes.
  llvm::StringRef getWhy() const;
  bool isException() const;
  mlir::ArrayRef<mlir::Attribute> getNotes() const;

  mlir::Value getTensor() const { return tensor; }
  mlir::Attribute getConstant() const {
    return kind == Kind::Dictionary ? mlir::Attribute(shared->keys.getForms()) : constant;
  }

  /// The constant as an attribute class, or null.
  template <typename T> T getAs() const { return isConstant() ? mlir::dyn_cast<T>(constant) : T(); }

  mlir::ArrayRef<AbstractValue> getElements() const {
    return shared ? mlir::ArrayRef<AbstractValue>(shared->elements) : mlir::ArrayRef<AbstractValue>();
  }
  const Keys &getKeys() const { return shared->keys; }
  std::vector<AbstractValue> getKeyValues() const { return shared->keys.getValues(); }
  /// All that a value holds: its elements, and of a dict the keys that are no constants.
  auto getParts() const { return llvm::concat<const AbstractValue>(getElements(), getKeyObjects()); }
  template <typename Visit> void walkParts(Visit visit) const {
    llvm::for_each(getElements(), visit);
    llvm::for_each(getKeyObjects(), visit);
  }
  llvm::ArrayRef<AbstractValue> getKeyObjects() const {
    return isDictionary() && shared->keys.hasObjects() ? shared->keys.getObjects() : llvm::ArrayRef<AbstractValue>();
  }
  /// The same kind of value of other parts.
  AbstractValue withParts(llvm::function_ref<AbstractValue(const AbstractValue &)> replace) const;
  /// The form of a value as a key of a dict; null where it cannot be one.
  mlir::Attribute getKey(mlir::MLIRContext *context) const;
  bool isGrowable() const { return shared && shared->growable; }
  unsigned getDepth() const { return shared ? shared->depth : 0; }
  /// Which object a container is.
  const void *getIdentity() const { return shared.get(); }
  /// The frame whose names a closure sees; 0 when it has ended.
  unsigned getFrame() const { return shared ? shared->frame : 0; }
  /// Which function object an inner function is: copies of it have its number. 0 where a tensor decides which
  /// one it is; nothing for other values.
  std::optional<uint64_t> getOrigin() const {
    return shared && (isClosure() || isConstant()) && !isBound() ? std::optional(shared->origin) : std::nullopt;
  }
  /// A method that is bound to its object. Such are equal if object and function are the same.
  bool isBound() const;
  /// The number of an inner function, or which of equal bound methods one is: 0 where that is not known.
  std::optional<uint64_t> getObjectNumber() const {
    return isBound() ? std::optional(shared ? shared->origin : uint64_t(0)) : getOrigin();
  }
  /// A function of which a tensor decides which one it is.
  bool isUndecided() const { return kind == Kind::Choice || getOrigin() == std::optional<uint64_t>(0); }
  /// Makes a new copy of an inner function, or a bound method, the object of the number `origin`.
  AbstractValue setOrigin(uint64_t origin) const;
  /// Whether a tensor decides which object a container is: its contents are known, its identity is not.
  bool isChosen() const { return isContainer() && shared->chosen; }
  /// Marks a new container as such.
  AbstractValue markChosen() const;
  /// How often the contents of a container were changed.
  unsigned countStores() const { return shared ? shared->stores : 0; }
  /// Appends to a growable list in place, for all who share it.
  void append(AbstractValue element) const;
  /// Whether this is the very object `container`, or holds it.
  bool reaches(const AbstractValue &container) const;
  /// Gives a container other contents in place; `keys` is that of a dict.
  void setElements(mlir::ArrayRef<AbstractValue> elements, const Keys &keys = {}) const;
  /// Lets a container be changed at the nesting depth `depth`.
  AbstractValue growableAt(unsigned depth) const;

  /// Type of the tensor that this value is or, for a tensor constant, would
  /// become; null when it is no tensor.
  mlir::RankedTensorType getTensorType() const;

  /// Whether a container was made outside of the branches and loops deeper than `depth`, and may have changed in them.
  bool isOutside(unsigned depth) const { return isContainer() && isGrowable() && getDepth() <= depth; }
  /// Containers and closures by identity, with what stands for each elsewhere.
  struct Containers;
  /// walkTensors and withTensors where a branch at `depth` is joined: what is outside of it stays the same object.
  void walkTensors(unsigned depth, llvm::function_ref<void(mlir::Value)> visit) const;
  AbstractValue withTensors(mlir::ValueRange &tensors, unsigned depth) const;
  /// The same of all that one side of the branch hands on: a container that it has made stays one, wherever it stands,
  /// and can be changed behind the branch. `known` has those that stand for others.
  AbstractValue withTensors(mlir::ValueRange &tensors, unsigned depth, Containers &known) const;

  /// Calls `visit` on each run-time tensor inside, in flattening order.
  void walkTensors(llvm::function_ref<void(mlir::Value)> visit) const;
  llvm::SmallVector<mlir::Value> getTensors() const;
  /// The same structure with its run-time tensors replaced in flattening
  /// order, eating from `tensors`; lists lose their growability.
  AbstractValue withTensors(mlir::ValueRange &tensors) const;

  /// walkTensors, but not into the containers of `known`, to which each new one
  /// is added: a container that is held twice has its tensors once.
  void walkTensors(Containers &known, llvm::function_ref<void(mlir::Value)> visit) const;
  /// The same structure elsewhere: tensors from `tensors`, each container and closure of `known` by what it is mapped
  /// to, each other one by a copy: a container by one that can be changed at `depth` where `growable` says so of the
  /// original, a closure by one that does not see its frame's names any more.
  AbstractValue relocated(mlir::ValueRange &tensors, Containers &known, unsigned depth,
                          llvm::function_ref<bool(const AbstractValue &)> growable) const;

  /// The same kind of container with other elements.
  AbstractValue withElements(mlir::ArrayRef<AbstractValue> elements) const;

  /// A key that equals another's exactly when both values have the same
  /// structure, constants and tensor types.
  mlir::Attribute getSignature(mlir::MLIRContext *context) const;

  /// What a user calls such a value: "a tensor of shape [2, 3] and type f32".
  std::string describe() const;

private:
  struct Shared {
    std::vector<AbstractValue> elements;
    Keys keys;
    bool growable = false;
    bool chosen = false;
    unsigned depth = 0;
    unsigned frame = 0;
    unsigned stores = 0;
    uint64_t origin = 0;
  };

  AbstractValue(Kind kind, mlir::Attribute constant, mlir::ArrayRef<AbstractValue> elements);
  struct Seen;
  mlir::Attribute getSignature(mlir::MLIRContext *context, Seen &seen) const;

  Kind kind = Kind::Undefined;
  mlir::Value tensor;
  mlir::Attribute constant;
  std::shared_ptr<Shared> shared;
};

struct AbstractValue::Containers : llvm::DenseMap<const void *, AbstractValue> {
  /// Of functions and bound methods, with the numbers that they have elsewhere.
  llvm::DenseMap<uint64_t, uint64_t> origins;
};

/// Whether both are the very same value, tensors included.
bool isIdentical(const AbstractValue &left, const AbstractValue &right);

/// Whether both are the same object, too: equal lists are not.
bool isSame(const AbstractValue &left, const AbstractValue &right);

/// "shape [2, 3] of f32", for messages.
std::string describeType(mlir::Type type);
/// "a bool", "an int", "a string", "a Parameter", … for messages.
std::string describeConstant(mlir::Attribute constant);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_ABSTRACTVALUE_H
