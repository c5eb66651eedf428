// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the abstract interpreter passes between its parts: arguments, ends of
// runs, the state of a call, typed functions, numbers.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_INTERPRETERTYPES_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_INTERPRETERTYPES_H

#include "compiler/specialize/tensors/AbstractValue.h"
#include "compiler/specialize/tensors/Numbers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>
#include <optional>

namespace plumb::specialize {

using mlir::FailureOr;
using mlir::Location;
using mlir::LogicalResult;
using mlir::StringAttr;
using mlir::Value;

using Result = FailureOr<AbstractValue>;

/// What a call site passes, with * and ** already unpacked.
struct Arguments {
  llvm::SmallVector<AbstractValue> positional;
  llvm::SmallVector<std::pair<StringAttr, AbstractValue>> keywords;
  /// How many of the keywords, the first ones, are what a closure captures: a call cannot name those.
  unsigned captured = 0;

  /// Positional argument `index`, else keyword `name`, else null.
  const AbstractValue *find(unsigned index, llvm::StringRef name) const;
};

/// How a run of statements ended. Behind a `raise` that ends the launch (Raise) nothing matters: it is no way of a
/// mixed exit. One that a `try` around hears of is a Throw.
enum class Flow { Break, Continue, Return, Next, Raise, Throw, Mixed };

/// An exception that compiled code raises, on its way to the `try` around.
struct Thrown {
  Location where;
  AbstractValue exception;  ///< The live object.
  std::string format;       ///< Its class and its text, in which `{}` stands for one of the tensors `values`.
  AbstractValue values;     ///< A tuple.
  AbstractValue taken = {}; ///< Whether it is raised: a tensor; Undefined where it is in any case.
  unsigned number = 0;      ///< See Exit::raised.
  /// Names that have no value where it is raised, but where it is not: why they cannot be used.
  llvm::SmallVector<std::pair<StringAttr, AbstractValue>> unset = {};

  /// Whether both are raised by one statement in one form.
  bool isLike(const Thrown &other) const;
  /// Says why a name cannot be used where it is raised.
  void hide(StringAttr name, const AbstractValue &why);
};

/// The one that is like `wanted`, or null.
const Thrown *findThrown(llvm::ArrayRef<Thrown> among, const Thrown &wanted);

/// The end of a run: how, where, and for Return with which value. A mixed exit
/// is one of several, which tensors decide; see Exits.cpp.
struct Exit {
  Flow flow;
  Location where;
  AbstractValue value = {};
  /// Where there are many exceptions, as a loop's: a tensor, the number of the one that is raised; later ones have
  /// higher numbers. It is 0 where none is raised, or one that has no number.
  AbstractValue raised = {};
  /// Names of which more is known where the run goes on than is left where its ways meet.
  llvm::SmallVector<std::pair<StringAttr, AbstractValue>, 0> namesOnward = {};
  /// Of a mixed exit: whether the run may also have gone on.
  bool mayGoOn = false;
  /// Of a mixed exit: whether it is a break, a continue or a return; null where
  /// it is not.
  std::array<Value, 3> taken = {};
  /// The one exception of a Throw; those of a mixed exit.
  llvm::SmallVector<Thrown, 0> thrown = {};

  Value &getTaken(Flow way) { return taken[static_cast<int>(way)]; }
  Value getTaken(Flow way) const { return taken[static_cast<int>(way)]; }
};

/// A mixed exit that only one way is left of is that way.
Exit simplify(Exit exit);
/// Whether a run that ends so may return from its function.
bool mayReturn(const Exit &exit);
/// Whether it may go on in its function without an exception: behind itself, or in or behind a loop around.
bool mayStay(const Exit &exit);

/// What follows a statement; gets how the statement ended.
using Continuation = llvm::function_ref<FailureOr<Exit>(Exit)>;

/// Whether two tensors are one object; Maybe where the running program decides, or nobody knows.
enum class SameTensor { No, Yes, Maybe };

/// A question of a body whether two of its arguments are one tensor, or one is a constant, and what it was told; see
/// TensorIdentities.h.
struct AskedIdentity {
  unsigned one, other;
  mlir::DenseElementsAttr constant; ///< In the place of the other one.
  SameTensor answer;
};

/// A typed copy of a function for one signature.
struct Specialization {
  mlir::func::FuncOp function; ///< Null while its body is being interpreted.
  AbstractValue result;        ///< Structure; its tensors are placeholders.
  /// The lists, dicts, sets and closures among its arguments, as the body knew them.
  llvm::SmallVector<AbstractValue> containers = {};
  /// Those of them that the body changes, as it leaves them. Their tensors are
  /// results of the function, behind those of `result`.
  llvm::SmallVector<AbstractValue> changed = {};
  unsigned ownResults = 0; ///< How many tensors `result` has.
  /// The arguments whose values the body asked for, with those that it found (null: not known while compiling). For a
  /// call that passes others there are the `others`.
  llvm::SmallVector<std::pair<unsigned, mlir::DenseElementsAttr>> asked = {};
  llvm::SmallVector<AskedIdentity, 0> askedIdentities = {}; ///< Others are for calls that answer otherwise, too.
  Specialization *others = nullptr;
  bool neverReturns = false;           ///< It raises, whatever its inputs.
  std::optional<Location> raises = {}; ///< Where it may raise while it runs.
  /// What it raises for a `try` around the call: the tensors inside are its last results.
  llvm::SmallVector<Thrown, 0> thrown = {};
};

/// What a function is specialised for: a call, in which the body may ask for the values of arguments, a gradient, or
/// neither (an entry, a rule of a cell). The first two hand on what it raises.
enum class Use { Call, Gradient, Other };

/// A typed function and what a call passes to it.
struct Callee {
  Specialization *specialization;
  llvm::SmallVector<AbstractValue> arguments;
  llvm::SmallVector<Value> operands; ///< The tensors inside.
};

/// Whether the value is None.
bool isNone(const AbstractValue &value);
/// Whether no tensor of the run time is inside.
bool isKnown(const AbstractValue &value);
bool isKnown(const Arguments &arguments);

/// A tensor, if it was made.
Result toResult(FailureOr<Value> tensor);

/// Text of a format in which `{}` stands for a value.
std::string escapeBraces(llvm::StringRef text);

/// Whether containers take both, known now, for equal: they are one object, or Python's == says so.
bool areEqual(const AbstractValue &left, const AbstractValue &right);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_INTERPRETERTYPES_H
