// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter: runs Python-level functions over abstract values
// and writes down, as typed functions, what is left to do at run time.
//
// One object interprets one module. Its members are spread over files by theme: Statements.cpp (control flow),
// Loops.cpp (dynamic while), Joins.cpp and Exits.cpp (where two ways meet), Expressions.cpp, Calls.cpp (binding and
// specialisation), Iterators.cpp, Primitives.cpp, Operators.cpp (arithmetic and promotion), Tensors.cpp (materialising
// values), ConstantTensors.cpp, Sequences.cpp (lists as tensors), Attributes.cpp (getattr), Methods.cpp, Subscript.cpp,
// Builtins.cpp, Conversions.cpp, Containers.cpp (lists, dicts and attributes that change), Changes.cpp, Closures.cpp,
// Exceptions.cpp, Raises.cpp, Live.cpp (questions to the live Python process), Math.cpp, GradCalls.cpp.
//
// Control flow is interpreted in continuation-passing style: every statement
// runner is told what follows it. A branch on a tensor that may leave its
// block early (return, break, continue) simply runs "what follows" inside each
// of its two arms; one that cannot is joined and goes on once.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_H

#include "compiler/specialize/Join.h"
#include "compiler/specialize/KnownTensors.h"
#include "compiler/specialize/LiveProcess.h"
#include "compiler/specialize/Reports.h"
#include "compiler/specialize/TensorAccess.h"
#include "compiler/specialize/TensorArithmetic.h"
#include "compiler/specialize/TensorWriter.h"

#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetGradOps.h"
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

/// What a gradient function differentiates by; see GradCalls.cpp.
struct GradientOptions;

/// What a loop goes through; see Statements.cpp.
struct Iterated;

/// Interprets the Python level of one module. See the file comment.
class Interpreter : public Part, private LiveProcess::Host {
public:
  Interpreter(Workspace &workspace, unsigned maxCallDepth);

  /// Writes the function of `entry` and makes the entry call it.
  LogicalResult runEntry(net::EntryOp entry);

  /// The user's innermost call that led to an error in a function of the Python
  /// package; none for an error in the user's own.
  std::optional<Location> getUserPlace(const mlir::Diagnostic &diagnostic) const;

  /// Adds the chain of Python calls that led here to an error. An error that
  /// was `moved` to the innermost call of the user's has that call's place.
  void attachCallChain(mlir::Diagnostic &diagnostic, bool moved) const;

private:
  /// Depth of Python calls that is taken for a runaway recursion.
  unsigned maxCallDepth;
  /// The last function that reached its end without `return`.
  net::PythonFuncOp withoutReturn;
  /// Iterations of one loop that are unrolled at most.
  static constexpr unsigned kMaxUnrolled = 20000;

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
  FailureOr<std::variant<bool, Value>> getTruth(Location location, const AbstractValue &value);

  // Exceptions.cpp
  struct Attempt;
  Attempt attempt(mlir::Region &region);
  void report(Attempt &made);
  std::optional<AbstractValue> getException(Attempt &made);
  Attempt runHandled(net::PythonTryOp op);
  FailureOr<Exit> runTry(net::PythonTryOp op, Continuation next);
  Result callExceptionBuiltin(Location location, llvm::StringRef name, const Arguments &arguments);

  // Raises.cpp
  unsigned countConditions() const { return depth + outerConditions; }
  LogicalResult refuseHandled(Location location, std::optional<Location> raised = std::nullopt);
  LogicalResult runRaise(Location location, llvm::StringRef format, llvm::ArrayRef<Value> values = {});
  LogicalResult addRaised(Location location, const AbstractValue &value, bool quoted, std::string &format,
                          llvm::SmallVectorImpl<Value> &values);
  LogicalResult runAssert(net::PythonAssertOp op);
  LogicalResult assertLater(net::PythonAssertOp op, Value condition, llvm::StringRef text);
  LogicalResult noteRaises(Location location, const Specialization &specialization);
  Result callRaise(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callRefuse(Location location, const Arguments &arguments);
  Result callRaiseObject(Location location, const Arguments &arguments);

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
  /// Whether a list, dict or set may be changed here, also under conditions on tensors.
  bool canChange(const AbstractValue &container) const;
  /// To be called before a container changes.
  void remember(Location location, const AbstractValue &container);
  Journal takeChanges();
  class Trial;
  LogicalResult joinContents(Join &join, const Change &left, const Change &right, Change &joined);
  LogicalResult joinChanges(Join &join, const Journal &left, const Journal &right, bool leftEnds, bool rightEnds,
                            Journal &joined);
  LogicalResult applyChanges(Journal &joined, mlir::ValueRange &results);
  /// Drops the attributes, as far as `kept` has not the same, of objects that were made under more conditions.
  void dropMade(Change &attributes, mlir::ArrayAttr kept, unsigned conditions);

  // Exits.cpp
  using Side = llvm::function_ref<FailureOr<Exit>()>;
  static Exit leaveIteration(Exit exit);
  static Exit leaveLoop(Exit exit);
  FailureOr<Value> isLeaving(Location location, Exit exit);
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
  FailureOr<Exit> runDynamicWhile(net::PythonWhileOp op, bool peeled = false);
  FailureOr<std::optional<Exit>> tryDynamicWhile(net::PythonWhileOp op, LoopState &carried);
  FailureOr<bool> writeTest(net::PythonWhileOp op, LoopState &carried, mlir::Block *test, unsigned count);
  FailureOr<bool> writeBody(net::PythonWhileOp op, LoopState &carried, mlir::Block *body, std::optional<Exit> &exit);
  FailureOr<Exit> peelIteration(net::PythonWhileOp op);
  FailureOr<Value> runWhileCondition(net::PythonWhileOp op);
  FailureOr<std::optional<Value>> runCarriedCondition(net::PythonWhileOp op, LoopState &carried,
                                                      llvm::SmallVectorImpl<Value> &passed);
  FailureOr<std::optional<Value>> runExitCondition(net::PythonWhileOp op, LoopState &carried,
                                                   mlir::ValueRange arguments, Value left,
                                                   llvm::SmallVectorImpl<Value> &passed);
  FailureOr<bool> carryExit(net::PythonWhileOp op, LoopState &carried, const Exit &exit,
                            llvm::SmallVectorImpl<Value> &yields);
  Exit getLoopExit(Location location, const LoopState &carried, mlir::ValueRange results);

  // Expressions.cpp
  LogicalResult evaluate(mlir::Operation &op);
  Result evaluateLoad(net::PythonLoadOp op);
  Result evaluateSetitem(net::PythonSetitemOp op);
  Result evaluateDict(net::PythonDictOp op);
  Result evaluateCall(net::PythonCallOp op);
  FailureOr<Arguments> getArguments(net::PythonCallOp op);
  LogicalResult evaluateSetattr(net::PythonSetattrOp op);
  Result yieldNone(LogicalResult result) const;
  const AbstractValue &get(Value value) const;
  llvm::SmallVector<AbstractValue> getAll(mlir::ValueRange values) const;
  Result getIterated(Location location, const AbstractValue &value);

  // Calls.cpp
  Result call(Location location, const AbstractValue &callee, const Arguments &arguments) override;
  Result callObject(Location location, mlir::Attribute object, const Arguments &arguments);
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
  /// The typed function of a callable with what to pass to it.
  FailureOr<Callee> specialize(Location location, const AbstractValue &callee, const Arguments &arguments,
                               bool asTensors = false);
  /// What a call yields whose function returned `results`; changes the
  /// containers among its arguments as the function did.
  Result finishCall(Location location, const Specialization &specialization, llvm::ArrayRef<AbstractValue> arguments,
                    mlir::ValueRange results);
  llvm::SmallVector<Value> getTensors(llvm::ArrayRef<AbstractValue> arguments);
  FailureOr<Specialization *> specializeFunction(Location location, net::PythonFuncOp function,
                                                 llvm::ArrayRef<AbstractValue> arguments, bool asTensors = false,
                                                 bool isCall = false);
  /// Of a call that is no part of a gradient (`isCall`) the body may ask for the values of arguments.
  FailureOr<Specialization *> specializeBody(Location location, mlir::Attribute key, const llvm::Twine &name,
                                             llvm::ArrayRef<AbstractValue> arguments, Location defined,
                                             llvm::function_ref<Result(llvm::ArrayRef<AbstractValue>)> interpret,
                                             bool isCall = false);
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
  /// Fails where one of `elements` is `container`, or holds it.
  LogicalResult checkNotWithin(Location location, const AbstractValue &container,
                               llvm::ArrayRef<AbstractValue> elements);
  LogicalResult change(Location location, const AbstractValue &container, llvm::ArrayRef<AbstractValue> elements,
                       mlir::ArrayAttr keys = {}) override;
  Result storeElement(Location location, const AbstractValue &object, const AbstractValue &index,
                      const AbstractValue &value);
  LogicalResult setItem(Location location, const AbstractValue &container, const AbstractValue &index,
                        const AbstractValue &value);
  /// Where `key` stands in a dict; its size if it does not.
  size_t findKey(const AbstractValue &dictionary, const AbstractValue &key);
  LogicalResult checkHashable(Location location, const AbstractValue &key);
  FailureOr<mlir::Attribute> getKey(Location location, const AbstractValue &key);
  LogicalResult deleteItem(Location location, const AbstractValue &object, const AbstractValue &index);
  Result callDisplay(Location location, llvm::StringRef name, const Arguments &arguments);
  Result accessBox(Location location, const Arguments &arguments);
  Result callUnpacked(Location location, const Arguments &arguments);
  Result callAugmented(Location location, const Arguments &arguments);
  const AbstractValue *findSetAttribute(mlir::Attribute object, StringAttr name);
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

  // For questions to the live process, beside change, setAttribute and call.
  AbstractValue getAttributes() override { return state.attributes; }
  Result takeItems(Location location, const AbstractValue &iterator) override;
  AbstractValue getKnown(const AbstractValue &value) override { return knownTensors.get(value); }
  void noteMade(mlir::Attribute object) override { made[object] = countConditions(); }

  // Primitives.cpp
  Result callPrimitive(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  Result callTypedPrimitive(Location location, const net::PrimitiveInfo &primitive, mlir::DictionaryAttr config,
                            const Arguments &arguments);
  FailureOr<mlir::Attribute> convertAttribute(Location location, llvm::StringRef primitive,
                                              const net::PrimitiveParam &param, const AbstractValue &value);
  LogicalResult bindParameter(Location location, const net::PrimitiveInfo &primitive, const net::PrimitiveParam &param,
                              const AbstractValue &value, llvm::SmallVectorImpl<Value> &operands,
                              llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes);
  static bool isQuery(llvm::StringRef name);
  Result makeTensor(Location location, const Arguments &arguments);
  Result callReduction(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  Result callSelect(Location location, const Arguments &arguments);
  Result callAssign(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callQuery(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callPrint(Location location, const Arguments &arguments);

  // Operators that the program brings along (CustomCalls.cpp).
  Result callNativeFunction(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  Result callBody(Location location, net::PrimitiveAttr primitive, const Arguments &arguments);
  FailureOr<llvm::SmallVector<Value>> getCustomInputs(Location location, llvm::StringRef name,
                                                      llvm::ArrayRef<AbstractValue> values);
  FailureOr<llvm::SmallVector<mlir::Type>> getCustomResults(Location location, llvm::StringRef name,
                                                            const AbstractValue &shapes, const AbstractValue &dtypes);
  LogicalResult checkBody(Location location, llvm::StringRef name, mlir::func::FuncOp function,
                          mlir::ValueRange inputs);

  // Operators.cpp
  Result applyOperator(Location location, llvm::StringRef name, llvm::ArrayRef<AbstractValue> operands);
  Result applyUnary(Location location, llvm::StringRef name, const AbstractValue &operand);
  Result applyBinary(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &right);
  Result applyForeignOperator(Location location, llvm::StringRef name, const AbstractValue &left,
                              const AbstractValue &right);
  Result applySequenceOperator(Location location, llvm::StringRef name, const AbstractValue &left,
                               const AbstractValue &right);
  bool hasElements(const AbstractValue &value);
  Result foldNumbers(Location location, llvm::StringRef name, Number left, Number right);
  bool areEqual(const AbstractValue &left, const AbstractValue &right);
  Result compareParts(Location location, const AbstractValue &left, const AbstractValue &right);
  Result findIn(Location location, llvm::StringRef name, const AbstractValue &left, const AbstractValue &right);

  // Attributes.cpp
  Result getAttribute(Location location, const AbstractValue &object, StringAttr name);
  Result getSymbolAttribute(Location location, mlir::FlatSymbolRefAttr object, StringAttr name);
  std::optional<Result> getTensorAttribute(Location location, const AbstractValue &object, llvm::StringRef name);
  bool hasAttribute(const AbstractValue &object, StringAttr name);

  // Methods.cpp
  mlir::Attribute getPackageMethod(llvm::StringRef name);
  bool hasMethod(const AbstractValue &object, llvm::StringRef name);
  Result callMethod(Location location, const AbstractValue &receiver, llvm::StringRef name, const Arguments &arguments);
  Result callLiveMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                        const Arguments &arguments);
  Result callTensorMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                          const Arguments &arguments);
  Result callTranspose(Location location, const AbstractValue &receiver, llvm::StringRef name,
                       const Arguments &arguments);
  Result callSpecialTensorMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                                 const Arguments &arguments);
  Result callListMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                        const Arguments &arguments);
  Result callDictMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                        const Arguments &arguments);
  Result callStringMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                          const Arguments &arguments);
  Result callContainerMethod(Location location, const AbstractValue &receiver, llvm::StringRef name,
                             const Arguments &arguments);

  // Subscript.cpp
  Result subscript(Location location, const AbstractValue &object, const AbstractValue &index);
  Result subscriptSequence(Location location, const AbstractValue &object, const AbstractValue &index);
  Result choose(Location location, const AbstractValue &number, unsigned count,
                llvm::function_ref<Result(unsigned)> run);
  Result chooseElement(Location location, llvm::ArrayRef<AbstractValue> elements, const AbstractValue &index);
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
  void spoil(Location location, const AbstractValue &iterator);
  FailureOr<llvm::ArrayRef<AbstractValue>> getRest(Location location, const AbstractValue &iterator);
  Result getItemsLeft(Location location, const AbstractValue &iterator);
  Result withoutIterators(Location location, const AbstractValue &value);
  Result takeRest(Location location, const AbstractValue &iterator);
  Result callNext(Location location, const Arguments &arguments);
  Result zipIterators(Location location, const Arguments &arguments);
  Result callOnIterators(Location location, llvm::StringRef name, const Arguments &arguments);

  // Builtins.cpp
  bool isLeftToPython(llvm::StringRef name, const Arguments &arguments);
  Result callKeyed(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callReduce(Location location, const Arguments &arguments);
  struct Builtin;
  static const Builtin *findBuiltin(llvm::StringRef name);
  Result callBuiltin(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callLen(Location location, const Arguments &arguments);
  Result callRange(Location location, const Arguments &arguments);
  Result callZip(Location location, const Arguments &arguments);
  Result callEnumerate(Location location, const Arguments &arguments);
  Result callMap(Location location, const Arguments &arguments);
  LogicalResult checkCompared(Location location, llvm::StringRef name, const AbstractValue &item);
  Result callExtremum(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callSum(Location location, const Arguments &arguments);
  Result callAnyAll(Location location, llvm::StringRef name, const Arguments &arguments);
  Result reduceTruth(Location location, llvm::StringRef name, const AbstractValue &value);
  Result callDivmod(Location location, const Arguments &arguments);
  Result callRound(Location location, const Arguments &arguments);
  Result callFilter(Location location, const Arguments &arguments);
  Result callAbs(Location location, const Arguments &arguments);
  Result callSlice(Location location, const Arguments &arguments);
  Result callPow(Location location, const Arguments &arguments);
  Result callShown(Location location, const Arguments &arguments);

  // Math.cpp
  Result callModularPower(Location location, const Arguments &arguments);
  Result callMath(Location location, llvm::StringRef name, const Arguments &arguments);

  // Conversions.cpp
  static bool isConversion(llvm::StringRef name);
  Result convertTensor(Location location, llvm::StringRef name, const AbstractValue &value);
  Result callConversion(Location location, llvm::StringRef name, const Arguments &arguments);
  Result callIsinstance(Location location, const Arguments &arguments);
  bool isInstance(const AbstractValue &value, llvm::StringRef type);
  Result callGetattr(Location location, llvm::StringRef name, const Arguments &arguments);
  std::string toText(const AbstractValue &value);
  Result convertToText(Location location, const AbstractValue &value);

  // GradCalls.cpp
  Result makeGradient(Location location, net::PrimitiveAttr operation, const Arguments &arguments);
  AbstractValue makeGradient(net::GradAttr attribute);
  Result makeGradientFunction(Location location, bool value, const Arguments &arguments);
  FailureOr<mlir::ArrayAttr> getWeights(Location location, const AbstractValue &weights);
  LogicalResult makeAdjoints(Location location, const AbstractValue &result, const AbstractValue *given,
                             llvm::SmallVectorImpl<Value> &adjoints);
  LogicalResult prepareArguments(Location location, bool all, llvm::SmallVectorImpl<unsigned> &positions,
                                 Arguments &arguments);
  FailureOr<net::ValueAndGradOp> emitValueAndGrad(Location location, mlir::func::FuncOp function,
                                                  const GradientOptions &options, const Arguments &arguments,
                                                  mlir::ValueRange operands, bool adjoints);
  AbstractValue arrangeGradients(Location location, const GradientOptions &options, const Arguments &arguments,
                                 mlir::ValueRange gradients);
  AbstractValue takeGradient(Location location, const AbstractValue &argument, mlir::ValueRange &gradients);
  Result callGradient(Location location, const AbstractValue &gradient, const Arguments &arguments);
  bool holdsConstants(const AbstractValue &result);
  Result makeDifferentiable(Location location, const AbstractValue &result);

  LiveProcess live;
  KnownTensors knownTensors;
  TensorWriter writer;
  TensorArithmetic arithmetic;
  TensorAccess access;

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
  bool hasRaised = false;                      ///< The last statement raises whenever it is reached.
  std::optional<Location> raises;              ///< Where the function may raise while it runs.
  llvm::SmallVector<AbstractValue> exceptions; ///< Those being handled.
  /// Whether what failed last may not have happened, or not all of it.
  bool failsConditionally = false;
  unsigned frame = 0, frames = 0; ///< The running call's number, and how many.
  /// Attributes of objects that were read as they were before the call.
  llvm::DenseMap<mlir::Attribute, Location> attributesRead;
  llvm::SmallVector<CallSite> callChain;
  std::optional<Location> entryLocation;
  llvm::DenseMap<mlir::Attribute, Specialization *> memo;
  std::deque<Specialization> specializations;
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> nextNumbers; ///< Of getUniqueName, by the name without its number.
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
