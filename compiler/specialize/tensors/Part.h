// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every part of the interpreter works with: the module, the place where operations are written, and the small
// questions about abstract values that need no more than these.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_PART_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_PART_H

#include "compiler/specialize/tensors/AbstractValue.h"
#include "compiler/specialize/tensors/InterpreterTypes.h"
#include "compiler/support/DiagnosticKind.h"
#include "compiler/support/LivePython.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace plumb::specialize {

/// The module that is interpreted, and where what is left to do at run time is written. All parts share one.
struct Workspace {
  explicit Workspace(mlir::ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()), live(LivePython::get(module.getContext())) {}

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  const LivePython *live; ///< Null where no Python process stands behind the module.
  unsigned depth = 0;     ///< Nesting of regions that depend on tensors.
};

/// A Python function, and the object that it is bound to.
struct BoundFunction {
  net::PythonFuncOp function;
  std::optional<AbstractValue> self;
};

/// Base of the interpreter and of each of its collaborators.
class Part {
protected:
  explicit Part(Workspace &workspace)
      : workspace(workspace), symbols(workspace.symbols), builder(workspace.builder), depth(workspace.depth) {}

  mlir::MLIRContext *context() const { return builder.getContext(); }

  AbstractValue none() const;
  AbstractValue integer(int64_t value) const;
  AbstractValue real(double value) const;
  AbstractValue string(const llvm::Twine &value) const;
  AbstractValue makeBool(bool value) const;
  /// None, where what yields it has succeeded.
  Result yieldNone(LogicalResult result) const;

  /// Whether the Python process that the program comes from answers.
  bool isLive() const { return workspace.live != nullptr; }
  /// Whether the value is an object that only the live process knows.
  bool isForeign(const AbstractValue &value) const;

  /// The number that an object is beside what it is else, as a member of an enum of numbers; other values as they are.
  AbstractValue asNumber(const AbstractValue &value) const;
  /// The same of the items of tuples, lists and slices, too. What a class makes of a list or tuple of numbers is that.
  AbstractValue asNumbers(const AbstractValue &value) const;

  net::ParameterOp getParameter(const AbstractValue &value) const;
  /// Whether the value is a tensor, a constant of several elements, or a Parameter.
  bool isTensorLike(const AbstractValue &value) const;
  /// Whether the value is a tensor to Python, not a number that the run computes.
  bool isTensorToPython(const AbstractValue &value) const;
  /// Type of the tensor that the value is or stands for; null for others.
  mlir::RankedTensorType getTypeOf(const AbstractValue &value) const;
  /// Whether the value is such a tensor, or holds one.
  bool holdsTensor(const AbstractValue &value) const;

  /// The function behind a callable, if that is what the callable is.
  std::optional<BoundFunction> findFunction(const AbstractValue &callee) const;
  bool isCallable(const AbstractValue &value) const;

  /// The integers of a sequence, or of one integer.
  FailureOr<llvm::SmallVector<int64_t>> getIntegers(Location location, llvm::StringRef what,
                                                    const AbstractValue &value) const;
  /// An error about `value`: one that refuses it where only the running program knows what it is.
  mlir::InFlightDiagnostic errorOn(Location location, const AbstractValue &value,
                                   DiagnosticKind kind = DiagnosticKind::Value) const;

  Workspace &workspace;
  mlir::SymbolTable &symbols;
  mlir::OpBuilder &builder;
  unsigned &depth;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_PART_H
