// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: runs Python-level functions over abstract values
// and writes down, as typed functions, what is left to do at run time.
//
// One object interprets one module. It stands on two floors of collaborators, each of which a reader can understand
// alone. The lower one writes what tensors need and knows no Python statements:
//
//   LiveProcess < KnownTensors, TensorWriter < TensorArithmetic < TensorAccess
//
// The upper one calls back: Operators, Builtins, Texts, Methods, Primitives, Gradients. What is left here is what
// shares the state of a run, spread over files by theme: Statements.cpp (control flow), Loops.cpp (dynamic while),
// Joins.cpp and Exits.cpp (where two ways meet), Expressions.cpp, Calls.cpp (binding and specialisation),
// Iterators.cpp, Attributes.cpp (getattr), Subscript.cpp, Containers.cpp (lists, dicts and attributes that change),
// Changes.cpp, Closures.cpp, Exceptions.cpp, Raises.cpp.
//
// Control flow is interpreted in continuation-passing style: every statement
// runner is told what follows it. A branch on a tensor that may leave its
// block early (return, break, continue) simply runs "what follows" inside each
// of its two arms; one that cannot is joined and goes on once.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_H

#include "compiler/specialize/Builtins.h"
#include "compiler/specialize/Closures.h"
#include "compiler/specialize/Exits.h"
#include "compiler/specialize/Gradients.h"
#include "compiler/specialize/KnownTensors.h"
#include "compiler/specialize/LiveProcess.h"
#include "compiler/specialize/LoopState.h"
#include "compiler/specialize/Methods.h"
#include "compiler/specialize/Operators.h"
#include "compiler/specialize/Primitives.h"
#include "compiler/specialize/Raises.h"
#include "compiler/specialize/Reports.h"
#include "compiler/specialize/TensorAccess.h"
#include "compiler/specialize/TensorArithmetic.h"
#include "compiler/specialize/TensorWriter.h"
#include "compiler/specialize/Texts.h"

#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetPythonOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <optional>
#include <variant>

namespace plumb::specialize {

/// What a loop goes through; see Statements.cpp.
struct Iterated;

/// Interprets the Python level of one module. See the file comment.
class Interpreter : public Part, private LiveProcess::Host {
public:
  Interpreter(Workspace &workspace, unsigned maxCallDepth);

  /// Writes the function of `entry` and makes the entry call it.
  LogicalResult runEntry(net::EntryOp entry);

  // What collaborators ask for: calls.
  Result call(Location location, const AbstractValue &callee, const Arguments &arguments) override;
  Result callObject(Location location, mlir::Attribute object, const Arguments &arguments);
  /// The typed function of a callable with what to pass to it.
  FailureOr<Callee> specialize(Location location, const AbstractValue &callee, const Arguments &arguments, Use use,
                               bool asTensors = false);
  /// What a call yields whose function returned `results`; changes the
  /// containers among its arguments as the function did.
  Result finishCall(Location location, const Specialization &specialization, llvm::ArrayRef<AbstractValue> arguments,
                    mlir::ValueRange results);

  // What values are asked for.
  /// Python's bool(), or an i1 where a tensor decides it.
  using Truth = std::variant<bool, Value>;
  FailureOr<Truth> getTruth(Location location, const AbstractValue &value);
  /// The same as a value: a boolean that is known, or a tensor of one.
  Result getBoolean(Location location, const AbstractValue &value);
  /// What a for loop or an unpacking sees of `value`: a sequence.
  Result getIterated(Location location, const AbstractValue &value);
  Result getAttribute(Location location, const AbstractValue &object, StringAttr name);
  bool hasAttribute(const AbstractValue &object, StringAttr name);
  /// What a tensor or a Parameter says about itself, if it does.
  Result refuseTensorAttribute(Location location, const AbstractValue &object, llvm::StringRef name);
  std::optional<Result> getTensorAttribute(Location location, const AbstractValue &object, llvm::StringRef name);
  Result callSetattr(Location location, llvm::StringRef name, const Arguments &arguments);
  /// What the program has set `object.name` to; null if it has not.
  const AbstractValue *findSetAttribute(mlir::Attribute object, StringAttr name);
  /// Where `key` stands in a dict; its size if it does not.
  size_t findKey(const AbstractValue &dictionary, const AbstractValue &key);
  /// Fails if `key` cannot stand in a dict or set, and thus not be looked up there.
  LogicalResult checkHashable(Location location, const AbstractValue &key);
  /// Fails where a tensor decides which function a value is, or one in a tuple: it cannot be compared.
  LogicalResult checkDecided(Location location, const AbstractValue &value);

  // Containers that change.
  /// Gives a container other contents, or says why it cannot be changed.
  LogicalResult change(Location location, const AbstractValue &container, llvm::ArrayRef<AbstractValue> elements,
                       mlir::ArrayAttr keys) override {
    return changes.change(location, container, elements, keys);
  }
  // Builtin functions that deal with the state of a run.
  Result callOnIterators(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callDisplay(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callExceptionBuiltin(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callRaise(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callRaiseObject(Location location, const Arguments &arguments);
  Result callRefuse(Location location, const Arguments &arguments);

  /// Iterations of one loop that are unrolled at most.
  static constexpr unsigned kMaxUnrolled = 20000;

  // The lower floor: each knows some of those above it here.
  LiveProcess live;
  KnownTensors knownTensors;
  TensorWriter writer;
  TensorArithmetic arithmetic;
  TensorAccess access;

  // The upper floor.
  Operators operators;
  Builtins builtins;
  Texts texts;
  Methods methods;
  Primitives primitives;
  Gradients gradients;

  // The state of the run, and the middle floor, which shares it.
  Run run;
  Joins joins;
  MadeObjects madeObjects;
  Changes changes;
  Closures closures;
  Exits exits;
  Raises raises;

private:
  /// Depth of Python calls that is taken for a runaway recursion.
  unsigned maxCallDepth;

  // Statements.cpp
  FailureOr<Exit> runBlock(mlir::Block &block, Continuation next);
  FailureOr<Exit> runStatements(mlir::Block::iterator from, mlir::Block::iterator end, Continuation next);
  FailureOr<Exit> runIf(net::PythonIfOp op, Continuation next);
  FailureOr<Exit> runFor(net::PythonForOp op, Continuation next);
  FailureOr<Exit> runIterations(net::PythonForOp op, Iterated &iterated, size_t index);
  void addSources(Value iterable, Iterated &iterated);
  FailureOr<std::optional<AbstractValue>> takeItem(Location location, Iterated &iterated);
  FailureOr<Exit> runWhile(net::PythonWhileOp op, Continuation next);
  FailureOr<std::optional<bool>> findCondition(net::PythonWhileOp op);
  FailureOr<Exit> runTurns(net::PythonWhileOp op, unsigned count);
  /// Whether a loop ends by `break` or `return` alone.
  static bool isEndless(net::PythonWhileOp op);

  // Exceptions.cpp
  struct Attempt;
  Attempt attempt(mlir::Region &region, mlir::Region *handler = nullptr);
  FailureOr<Exit> runHandlers(Exit exit, mlir::Region &handler);
  FailureOr<Exit> runHandler(const Thrown &thrown, mlir::Region &handler);
  FailureOr<Exit> settle(Exit exit);
  void report(Attempt &made);
  std::optional<Thrown> getException(Attempt &made);
  Attempt runHandled(net::PythonTryOp op);
  FailureOr<Exit> runTry(net::PythonTryOp op, Continuation next);

  // Raises.cpp
  LogicalResult addRaised(Location location, const AbstractValue &value, bool quoted, std::string &format,
                          llvm::SmallVectorImpl<Value> &values);
  LogicalResult runAssert(net::PythonAssertOp op);
  LogicalResult assertLater(net::PythonAssertOp op, Value condition, llvm::StringRef text);

  // Joins.cpp
  FailureOr<Exit> runBranches(net::PythonIfOp op, Value condition, Continuation next);
  // Loops.cpp
  FailureOr<Exit> runDynamicWhile(net::PythonWhileOp op, bool peeled = false);
  FailureOr<std::optional<Exit>> tryDynamicWhile(net::PythonWhileOp op, LoopState &carried);
  FailureOr<bool> writeTest(net::PythonWhileOp op, LoopState &carried, mlir::Block *test, unsigned count);
  FailureOr<bool> writeBody(net::PythonWhileOp op, LoopState &carried, mlir::Block *body, std::optional<Exit> &exit);
  FailureOr<Exit> peelIteration(net::PythonWhileOp op);
  FailureOr<std::optional<Truth>> testCondition(net::PythonWhileOp op);
  FailureOr<Exit> runTestedIteration(net::PythonWhileOp op, Flow atEnd, Continuation next);
  FailureOr<std::optional<Value>> runCarriedCondition(net::PythonWhileOp op, LoopState &carried,
                                                      llvm::SmallVectorImpl<Value> &passed);
  FailureOr<std::optional<Value>> runExitCondition(net::PythonWhileOp op, LoopState &carried,
                                                   mlir::ValueRange arguments, Value left,
                                                   llvm::SmallVectorImpl<Value> &passed);
  FailureOr<bool> carryExit(net::PythonWhileOp op, LoopState &carried, const Exit &exit,
                            llvm::SmallVectorImpl<Value> &yields);
  void carryThrown(LoopState &carried, const Exit &exit);
  LogicalResult yieldThrown(Location location, LoopState &carried, const Exit &exit, Value &left,
                            llvm::SmallVectorImpl<Value> &yields);
  Exit getLoopExit(net::PythonWhileOp op, const LoopState &carried, mlir::ValueRange results);

  // Expressions.cpp
  LogicalResult evaluate(mlir::Operation &op);
  Result evaluateLoad(net::PythonLoadOp op);
  Result evaluateSetitem(net::PythonSetitemOp op);
  Result evaluateDict(net::PythonDictOp op);
  Result evaluateCall(net::PythonCallOp op);
  FailureOr<Arguments> getArguments(net::PythonCallOp op);
  LogicalResult evaluateSetattr(net::PythonSetattrOp op);
  Result findSetter(Location location, mlir::FlatSymbolRefAttr object, StringAttr name, bool isEntry);
  LogicalResult storeAttribute(Location location, const AbstractValue &object, StringAttr name,
                               const AbstractValue &value, bool isEntry = false);
  Result yieldNone(LogicalResult result) const;
  static bool keepsArguments(const AbstractValue &callee);
  // Calls.cpp
  FailureOr<llvm::SmallVector<AbstractValue>> bindArguments(Location location, net::PythonFuncOp function,
                                                            const Arguments &arguments);
  Result callFunction(Location location, net::PythonFuncOp function, const Arguments &arguments);
  net::PythonFuncOp findRule(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments);
  LogicalResult attachRule(Location location, net::PythonFuncOp rule, Specialization &specialization,
                           llvm::ArrayRef<AbstractValue> arguments);
  Result runRule(Location location, net::PythonFuncOp rule, llvm::ArrayRef<AbstractValue> arguments);
  llvm::SmallVector<Value> getTensors(llvm::ArrayRef<AbstractValue> arguments);
  FailureOr<Specialization *> specializeFunction(Location location, net::PythonFuncOp function,
                                                 llvm::ArrayRef<AbstractValue> arguments, Use use,
                                                 bool asTensors = false);
  FailureOr<Specialization *> specializeBody(Location location, mlir::Attribute key, const llvm::Twine &name,
                                             llvm::ArrayRef<AbstractValue> arguments, Location defined,
                                             llvm::function_ref<Result(llvm::ArrayRef<AbstractValue>)> interpret,
                                             Use use);
  void finishBody(Specialization &made, llvm::ArrayRef<AbstractValue> before, Location defined);
  Result interpretFunction(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments);
  std::string getSpecializedName(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments);
  std::string getUniqueName(const llvm::Twine &name);

  // Containers.cpp
  Result storeElement(Location location, const AbstractValue &object, const AbstractValue &index,
                      const AbstractValue &value);
  LogicalResult setItem(Location location, const AbstractValue &container, const AbstractValue &index,
                        const AbstractValue &value);
  FailureOr<mlir::Attribute> getKey(Location location, const AbstractValue &key);
  Result deleteItem(Location location, const AbstractValue &object, const AbstractValue &index);
  Result accessBox(Location location, const Arguments &arguments);
  Result checkLater(Location location, const AbstractValue &function);
  Result callUnpacked(Location location, const Arguments &arguments);
  Result callAugmented(Location location, const Arguments &arguments);
  LogicalResult setAttribute(Location location, mlir::Attribute object, StringAttr name,
                             const AbstractValue &value) override;

  // Interpreter.cpp
  LogicalResult nameReports(net::EntryOp entry, unsigned results);
  LogicalResult flattenResult(Location location, const AbstractValue &value,
                              llvm::SmallVectorImpl<AbstractValue> &tensors);
  AbstractValue getKeptAttributes(const AbstractValue &result) const;
  /// Tells the live process the structure that a direct call returns; its
  /// tensors, in order, are `tensors`.
  LogicalResult tellResult(Location location, const AbstractValue &result,
                           llvm::SmallVectorImpl<AbstractValue> &tensors);
  LogicalResult tellEffects(mlir::func::FuncOp function);

  // For questions to the live process, beside change, setAttribute and call.
  AbstractValue getAttributes() override { return run.state.attributes; }
  Result takeItems(Location location, const AbstractValue &iterator) override;
  AbstractValue getKnown(const AbstractValue &value) override { return knownTensors.get(value); }
  void noteMade(mlir::Attribute object) override { madeObjects.note(object); }

  // Attributes.cpp
  Result getSymbolAttribute(Location location, mlir::FlatSymbolRefAttr object, StringAttr name);

  // Subscript.cpp
  Result subscript(Location location, const AbstractValue &object, const AbstractValue &index);
  Result getMissing(Location location, const AbstractValue &dictionary, const AbstractValue &key);
  Result subscriptSequence(Location location, const AbstractValue &object, const AbstractValue &index);
  Result choose(Location location, const AbstractValue &number, unsigned count,
                llvm::function_ref<Result(unsigned)> runOne);
  Result countFromStart(Location location, const AbstractValue &object, const AbstractValue &index);
  Result chooseElement(Location location, const AbstractValue &object, const AbstractValue &index);
  Result storeItem(Location location, const AbstractValue &object, const AbstractValue &index,
                   const AbstractValue &value, bool bare);

  // Iterators.cpp
  AbstractValue keepIterator(net::PythonCallOp op, const AbstractValue &made);
  using SourceVisitor = llvm::function_ref<void(const AbstractValue &container, bool areKeys, bool isInOrder)>;
  /// Visits the containers that the items of `made` come from, through calls that go through others: whether their keys
  /// alone are seen, and whether the item at each place comes from the element there.
  void walkSources(Value made, bool isInOrder, SourceVisitor visit) const;
  AbstractValue makeView(const AbstractValue &callee, const Arguments &arguments) const;
  FailureOr<llvm::ArrayRef<AbstractValue>> getRest(Location location, const AbstractValue &iterator);
  Result getItemsLeft(Location location, const AbstractValue &iterator);
  Result withoutIterators(Location location, const AbstractValue &value);
  Result takeRest(Location location, const AbstractValue &iterator);
  Result callNext(Location location, const Arguments &arguments);
  Result zipIterators(Location location, const Arguments &arguments);

  /// Functions of properties that set attributes, by object, name and whether it is `vars(object)[name] = …`.
  llvm::DenseMap<mlir::Attribute, AbstractValue> setters;
  /// Attributes of objects that were read as they were before the call.
  llvm::DenseMap<mlir::Attribute, Location> attributesRead;
  llvm::DenseMap<mlir::Attribute, Specialization *> memo;
  std::deque<Specialization> specializations;
  llvm::StringSet<> names;
  llvm::DenseMap<mlir::Operation *, LiveNames> liveNames; ///< Of functions with loops on tensors.
  llvm::StringMap<unsigned> nextNumbers;                  ///< Of getUniqueName, by the name without its number.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_H
