// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators and views of dicts that a program keeps, and what a loop goes through. See Iterators.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_ITERATORS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_ITERATORS_H

#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetPythonOps.h"

#include "llvm/ADT/DenseSet.h"

namespace plumb::specialize {

class Iterators : public Collaborator {
public:
  using Collaborator::Collaborator;

  /// What a for loop or an unpacking sees of `value`: a sequence.
  Result getIterated(Location location, const AbstractValue &value);
  /// The iterator that the `__iter__` of an object of the program's gives; undefined for all else.
  Result findIterator(Location location, const AbstractValue &value);
  /// Has a builtin function that goes through such an object go through that.
  LogicalResult enterIterators(Location location, llvm::StringRef name, Arguments &arguments);
  /// What a call of iter() and the like, or of Python's library, gives: an iterator where the program may see it again.
  Result keep(net::PythonCallOp op, const Arguments &arguments, const AbstractValue &made);
  /// What a call of a dict's method gives, if it is a view; undefined for others.
  AbstractValue makeView(const AbstractValue &callee, const Arguments &arguments) const;
  using SourceVisitor = llvm::function_ref<void(const AbstractValue &container, bool areKeys, bool isInOrder)>;
  /// Visits the containers that the items of `made` come from, through calls that go through others: whether their keys
  /// alone are seen, and whether the item at each place comes from the element there.
  void walkSources(Value made, bool isInOrder, SourceVisitor visit) const;

  /// The items that an iterator has left; of one that computes them, what it computes them from.
  FailureOr<llvm::ArrayRef<AbstractValue>> getRest(Location location, const AbstractValue &iterator);
  /// The next item of an iterator; nothing where it has ended.
  FailureOr<std::optional<AbstractValue>> takeNext(Location location, const AbstractValue &iterator);
  /// Refuses to take all items of an iterator that has no end.
  LogicalResult checkEnds(Location location, const AbstractValue &iterator);
  /// Moves the items that are left to another iterator, to be changed at the nesting depth `at`: for what is behind an
  /// end that a tensor decides.
  Result moveRest(Location location, const AbstractValue &iterator, unsigned at);
  /// An iterator that calls a function for the items of another value: the function, the value, and the kind: "map",
  /// "starmap", "filter", "generator", whose function gives a tuple of the one item that it makes, or of none, or
  /// "nested", whose function gives something to go through.
  Result makeGenerator(Location location, llvm::ArrayRef<AbstractValue> arguments);
  /// Whether a function that takes items one by one is done with those of a generator expression.
  Result isDone(Location location, const Arguments &arguments);
  /// The same as the list or tuple that they are to MindSpore.
  Result getItemsLeft(Location location, const AbstractValue &iterator);
  /// The value with such items in the place of the iterators and views inside.
  Result withoutIterators(Location location, const AbstractValue &value);
  /// Takes the items that an iterator has left, as a tuple; whoever gets them may take any number of them.
  Result takeItems(Location location, const AbstractValue &iterator);
  /// next(iterator[, default]).
  Result callNext(Location location, const Arguments &arguments);
  /// A builtin function that is given iterators goes through the items that are left.
  Result callBuiltin(Location location, llvm::StringRef name, const Arguments &arguments);

private:
  Result getRows(Location location, const AbstractValue &tensor);
  bool isKept(net::PythonCallOp op) const;
  Result takeRest(Location location, const AbstractValue &iterator);
  void keepComputed(Location location, const AbstractValue &iterator, llvm::ArrayRef<AbstractValue> items);
  Result makeItems(Location location, const AbstractValue &iterator, const AbstractValue &item);
  FailureOr<std::optional<AbstractValue>> takeUnseen(Location location, const AbstractValue &iterator);
  Result callAnyAll(Location location, llvm::StringRef name, const AbstractValue &iterator);
  FailureOr<std::optional<AbstractValue>> takeGenerated(Location location, const AbstractValue &iterator);
  FailureOr<std::optional<AbstractValue>> takeOfObject(Location location, const AbstractValue &iterator);
  FailureOr<std::optional<AbstractValue>> takeNested(Location location, const AbstractValue &iterator);
  Result takeAllGenerated(Location location, const AbstractValue &iterator);
  std::optional<size_t> countItems(const AbstractValue &value);
  AbstractValue makeRecord(const AbstractValue &container, bool areKeys) const;
  llvm::SmallVector<AbstractValue> makeRecords(net::PythonCallOp op) const;
  void addRecords(const AbstractValue &value, llvm::SmallVectorImpl<AbstractValue> &records) const;
  Result getIterator(Location location, const AbstractValue &value);
  Result zip(Location location, const Arguments &arguments);
  Result enumerate(Location location, const Arguments &arguments);
  FailureOr<std::optional<AbstractValue>> takeRow(Location location, llvm::ArrayRef<AbstractValue> columns);
  Result callOnRest(Location location, llvm::StringRef name, const Arguments &arguments);

  llvm::DenseSet<mlir::Attribute> withoutIterator; ///< Objects of which Python has said that their classes give none.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_ITERATORS_H
