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
#include "compiler/specialize/CallChain.h"
#include "compiler/specialize/Gradients.h"
#include "compiler/specialize/Join.h"
#include "compiler/specialize/KnownTensors.h"
#include "compiler/specialize/LiveNames.h"
#include "compiler/specialize/LiveProcess.h"
#include "compiler/specialize/Methods.h"
#include "compiler/specialize/Operators.h"
#include "compiler/specialize/Primitives.h"
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
  /// Raises where a tensor of one boolean holds.
  LogicalResult raiseIf(Location location, const AbstractValue &fails, llvm::StringRef text);
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
  /// Whether a `try` may hear of what a call of a function raises while the program runs.
  bool mayThrow(const AbstractValue &function) const {
    return isLive() && throwing && !function.getAs<net::PrimitiveAttr>();
  }
  /// Fails if `key` cannot stand in a dict or set, and thus not be looked up there.
  LogicalResult checkHashable(Location location, const AbstractValue &key);
  /// Fails where a tensor decides which function a value is, or one in a tuple: it cannot be compared.
  LogicalResult checkDecided(Location location, const AbstractValue &value);

  // Containers that change.
  /// Whether a list, dict or set may be changed here, also under conditions on tensors.
  bool canChange(const AbstractValue &container) const;
  /// To be called before a container changes.
  void remember(Location location, const AbstractValue &container);
  /// Gives a container other contents, or says why it cannot be changed.
  LogicalResult change(Location location, const AbstractValue &container, llvm::ArrayRef<AbstractValue> elements,
                       mlir::ArrayAttr keys = {}) override;
  /// Fails where one of `elements` is `container`, or holds it.
  LogicalResult checkNotWithin(Location location, const AbstractValue &container,
                               llvm::ArrayRef<AbstractValue> elements);
  /// Says that how many items an iterator has left is not known any more.
  void spoil(Location location, const AbstractValue &iterator);

  // Builtin functions that deal with the state of a run.
  Result callOnIterators(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callDisplay(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callExceptionBuiltin(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callRaise(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callRaiseObject(Location location, const Arguments &arguments);
  Result callRefuse(Location location, const Arguments &arguments);

  /// Iterations of one loop that are unrolled at most.
  static constexpr unsigned kMaxUnrolled = 20000;

  CallChain chain;

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
  /// An exception that a handler handles.
  struct Handled {
    Thrown thrown;
    bool isStatic;       ///< It has arisen while compiling, ...
    unsigned conditions; ///< and its handler runs under so many conditions on tensors.
  };
  Attempt attempt(mlir::Region &region, mlir::Region *handler = nullptr);
  FailureOr<Exit> runHandlers(Exit exit, mlir::Region &handler);
  FailureOr<Exit> runHandler(const Thrown &thrown, mlir::Region &handler);
  FailureOr<Exit> settle(Exit exit);
  void report(Attempt &made);
  std::optional<Thrown> getException(Attempt &made);
  Attempt runHandled(net::PythonTryOp op);
  FailureOr<Exit> runTry(net::PythonTryOp op, Continuation next);

  // Raises.cpp
  unsigned countConditions() const { return depth + outerConditions; }
  LogicalResult refuseHandled(Location location, std::optional<Location> raised = std::nullopt);
  LogicalResult runRaise(Location location, llvm::StringRef format, llvm::ArrayRef<Value> values = {},
                         const AbstractValue &exception = {});
  LogicalResult throwException(Location location, llvm::StringRef format, llvm::ArrayRef<Value> values,
                               const AbstractValue &taken, const AbstractValue &exception = {});
  FailureOr<Exit> takePending(Exit exit);
  LogicalResult endLaunchIf(Location location, const AbstractValue &fails, llvm::StringRef format,
                            mlir::ValueRange values);
  LogicalResult addRaised(Location location, const AbstractValue &value, bool quoted, std::string &format,
                          llvm::SmallVectorImpl<Value> &values);
  LogicalResult runAssert(net::PythonAssertOp op);
  LogicalResult assertLater(net::PythonAssertOp op, Value condition, llvm::StringRef text);
  LogicalResult noteRaises(Location location, const Specialization &specialization);

  // Joins.cpp
  FailureOr<Exit> runBranches(net::PythonIfOp op, Value condition, Continuation next);
  std::optional<AbstractValue> join(Join &join, const AbstractValue &left, const AbstractValue &right);
  std::optional<AbstractValue> joinTensors(Join &join, const AbstractValue &left, const AbstractValue &right);
  std::optional<AbstractValue> joinCallables(Join &join, const AbstractValue &left, const AbstractValue &right);
  std::optional<Value> makeJoinable(Location location, mlir::Block *block, const AbstractValue &value,
                                    mlir::Type elementType);
  void joinNames(Join &join, State &left, State &right, llvm::SmallVectorImpl<StringAttr> &joined);
  mlir::scf::IfOp finishBranches(mlir::scf::IfOp skeleton, Join &join);

  // Changes.cpp
  Journal takeChanges();
  class Trial;
  std::string describePart(const Change &contents, size_t index) const;
  LogicalResult joinContents(Join &join, const Change &left, const Change &right, Change &joined);
  LogicalResult joinChanges(Join &join, const Journal &left, const Journal &right, const Exit &leftExit,
                            const Exit &rightExit, Exit &exit, Journal &joined);
  void hide(const AbstractValue &container, Exit &exit);
  LogicalResult applyChanges(Journal &joined, mlir::ValueRange &results);

  // MadeObjects.cpp
  class Unifier;
  void unifyMade(Join &join, Exit &left, Exit &right, State &leftState, State &rightState);
  /// Drops the attributes, as far as `kept` has not the same, of objects that were made under more conditions.
  void dropMade(Change &attributes, mlir::ArrayAttr kept, unsigned conditions);
  void keepMade(mlir::ArrayAttr keys);
  void noteMade(const AbstractValue &inner, const AbstractValue &outer);

  // Exits.cpp
  using Side = llvm::function_ref<FailureOr<Exit>()>;
  static Exit leaveIteration(Exit exit);
  static Exit leaveLoop(Exit exit);
  FailureOr<Value> isLeaving(Location location, Exit exit);
  Result isAny(Location location, llvm::ArrayRef<AbstractValue> flags);
  Value extractFlag(Location location, const AbstractValue &flag);
  bool mayReach(const Exit &exit) const;
  llvm::SmallVector<Thrown, 0> joinThrown(Join &join, const Exit &left, const Exit &right, bool inAnyCase);
  void passToOne(Join &join, const State &reached, bool isLeft, Exit &exit, llvm::SmallVectorImpl<StringAttr> &joined);
  /// Runs `next` behind an exit: within a branch where the exit is mixed.
  FailureOr<Exit> proceed(Exit exit, Continuation next);
  FailureOr<Exit> runTwoWays(Location location, Value condition, Side runLeft, Side runRight,
                             mlir::Operation *source = nullptr);
  FailureOr<Exit> joinExits(Join join, mlir::scf::IfOp skeleton, const Exit &left, const Exit &right, State &leftState,
                            State &rightState, const State &before);
  FailureOr<AbstractValue> joinReturned(Join &join, const Exit &left, const Exit &right);
  void passNames(Join &join, State &reached, const State &before, bool isLeft,
                 llvm::SmallVectorImpl<StringAttr> &joined);
  void joinLast(Join &join, const State &left, const State &right, llvm::SmallVectorImpl<StringAttr> &joined);

  // Loops.cpp
  class LoopState;
  bool isCarried(net::PythonWhileOp op, StringAttr name);
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
  const AbstractValue &get(Value value) const;
  /// The value where the program keeps it, or hands it on: a view of a dict is the view itself.
  const AbstractValue &getKept(Value value) const;
  static bool keepsArguments(const AbstractValue &callee);
  void enter(Value value, const AbstractValue &yielded);
  llvm::SmallVector<AbstractValue> getAll(mlir::ValueRange values) const;

  // Calls.cpp
  FailureOr<llvm::SmallVector<AbstractValue>> bindArguments(Location location, net::PythonFuncOp function,
                                                            const Arguments &arguments);
  Result callFunction(Location location, net::PythonFuncOp function, const Arguments &arguments);
  net::PythonFuncOp findRule(net::PythonFuncOp function, llvm::ArrayRef<AbstractValue> arguments);
  LogicalResult attachRule(Location location, net::PythonFuncOp rule, Specialization &specialization,
                           llvm::ArrayRef<AbstractValue> arguments);
  Result runRule(Location location, net::PythonFuncOp rule, llvm::ArrayRef<AbstractValue> arguments);
  /// The function behind a callable together with its bound self, if that is
  /// what the callable is.
  std::optional<std::pair<net::PythonFuncOp, std::optional<AbstractValue>>> getFunction(const AbstractValue &callee);
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

  // Closures.cpp
  Result makeClosure(const Arguments &arguments);
  class Refresher;
  void refresh(const AbstractValue &value);
  net::PythonFuncOp getFunctionOf(const AbstractValue &closure);
  Arguments addCaptured(const AbstractValue &closure, const Arguments &arguments);

  // Containers.cpp
  Result storeElement(Location location, const AbstractValue &object, const AbstractValue &index,
                      const AbstractValue &value);
  LogicalResult setItem(Location location, const AbstractValue &container, const AbstractValue &index,
                        const AbstractValue &value);
  FailureOr<mlir::Attribute> getKey(Location location, const AbstractValue &key);
  LogicalResult deleteItem(Location location, const AbstractValue &object, const AbstractValue &index);
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
  AbstractValue getAttributes() override { return state.attributes; }
  Result takeItems(Location location, const AbstractValue &iterator) override;
  AbstractValue getKnown(const AbstractValue &value) override { return knownTensors.get(value); }
  void noteMade(mlir::Attribute object) override { made[object] = countConditions(); }

  // Attributes.cpp
  Result getSymbolAttribute(Location location, mlir::FlatSymbolRefAttr object, StringAttr name);

  // Subscript.cpp
  Result subscript(Location location, const AbstractValue &object, const AbstractValue &index);
  Result subscriptSequence(Location location, const AbstractValue &object, const AbstractValue &index);
  Result choose(Location location, const AbstractValue &number, unsigned count,
                llvm::function_ref<Result(unsigned)> run);
  Result countFromStart(Location location, const AbstractValue &object, const AbstractValue &index);
  Result chooseElement(Location location, const AbstractValue &object, const AbstractValue &index);
  bool isCallable(const AbstractValue &value);
  Result storeItem(Location location, const AbstractValue &object, const AbstractValue &index,
                   const AbstractValue &value, bool bare);

  // Iterators.cpp
  AbstractValue keepIterator(net::PythonCallOp op, const AbstractValue &made);
  using SourceVisitor = llvm::function_ref<void(const AbstractValue &container, bool areKeys, bool isInOrder)>;
  /// Visits the containers that the items of `made` come from, through calls that go through others: whether their keys
  /// alone are seen, and whether the item at each place comes from the element there.
  void walkSources(Value made, bool isInOrder, SourceVisitor visit) const;
  AbstractValue findView(Value made) const;
  AbstractValue makeView(const AbstractValue &callee, const Arguments &arguments) const;
  AbstractValue getShown(const AbstractValue &view) const;
  FailureOr<llvm::ArrayRef<AbstractValue>> getRest(Location location, const AbstractValue &iterator);
  Result getItemsLeft(Location location, const AbstractValue &iterator);
  Result withoutIterators(Location location, const AbstractValue &value);
  Result takeRest(Location location, const AbstractValue &iterator);
  Result callNext(Location location, const Arguments &arguments);
  Result zipIterators(Location location, const Arguments &arguments);

  State state;
  /// The changes of the present side of each branch around, and of the present iteration of each loop.
  llvm::SmallVector<Journal> journals;
  /// The changes since what may be taken back began; see Trial.
  llvm::SmallVector<Journal *> trials;
  /// Objects of the program's classes that calls have made, with the number of conditions that each was made under.
  llvm::DenseMap<mlir::Attribute, unsigned> made;
  unsigned outerConditions = 0; ///< `depth` of all calls that led here.
  /// How many conditions on tensors the innermost `try` stands under.
  std::optional<unsigned> attempted;
  /// The frame of the innermost `try`, where what is raised under a condition on a tensor can be handed to it.
  std::optional<unsigned> throwing;
  llvm::SmallVector<Thrown, 0> pending;     ///< What the last statement has raised for a `try` around.
  bool hasRaised = false;                   ///< The last statement raises whenever it is reached.
  std::optional<Location> raises;           ///< Where the function may raise while it runs.
  llvm::SmallVector<Handled, 0> exceptions; ///< Those being handled.
  llvm::DenseSet<const void *> handedOver;  ///< The containers that the running call was handed.
  /// Whether what failed last may not have happened, or not all of it.
  bool failsConditionally = false;
  unsigned frame = 0, frames = 0; ///< The running call's number, and how many.
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

/// Notes what changes in containers while it lives, for what is written on trial.
class Interpreter::Trial {
public:
  explicit Trial(Interpreter &interpreter) : interpreter(interpreter) { interpreter.trials.push_back(&changes); }
  ~Trial() { interpreter.trials.pop_back(); }

  /// Gives the containers what they held before.
  void undo();

private:
  Interpreter &interpreter;
  Journal changes;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_H
