// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed functions, one per signature. See Specializations.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_SPECIALIZATIONS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_SPECIALIZATIONS_H

#include "compiler/specialize/interpreter/Collaborator.h"

#include "llvm/ADT/StringSet.h"

#include <deque>

namespace plumb::specialize {

/// Writes typed functions, and takes what calls of them change.
class Specializations : public Collaborator {
public:
  Specializations(Workspace &workspace, Interpreter &interpreter, unsigned maxCallDepth)
      : Collaborator(workspace, interpreter), maxCallDepth(maxCallDepth) {}

  using Body = llvm::function_ref<Result(llvm::ArrayRef<AbstractValue>)>;
  /// Looks up or writes the typed function of `key` for the arguments' signature; `interpret` runs its body over its
  /// own arguments.
  FailureOr<Specialization *> specialize(Location location, mlir::Attribute key, const llvm::Twine &name,
                                         llvm::ArrayRef<AbstractValue> arguments, Location defined, Body interpret,
                                         Use use);
  /// The run-time tensors inside the arguments, and inside the attributes that every call hands over, in the order of a
  /// typed signature.
  llvm::SmallVector<Value> getTensors(llvm::ArrayRef<AbstractValue> arguments) const;
  /// Writes a call, and changes the containers among its arguments as the function does.
  Result writeCall(Location location, const Specialization &specialization, llvm::ArrayRef<AbstractValue> arguments);
  /// What a call yields whose function returned `results`; changes the containers among its arguments as the function
  /// did.
  Result finishCall(Location location, const Specialization &specialization, llvm::ArrayRef<AbstractValue> arguments,
                    mlir::ValueRange results);

private:
  struct Request;
  Request makeRequest(Location location, const llvm::Twine &name, llvm::ArrayRef<AbstractValue> arguments,
                      Location defined, Body interpret, Use use);
  FailureOr<mlir::Attribute> getSignature(mlir::Attribute key, const Request &request);
  FailureOr<Specialization *> add(mlir::Attribute signature, const Request &request);
  mlir::func::FuncOp createFunction(const Request &request);
  llvm::SmallVector<AbstractValue> relocate(llvm::ArrayRef<AbstractValue> values,
                                            mlir::ValueRange blockArguments) const;
  struct Caller;
  Caller enterFrame(const Request &request);
  void leaveFrame(Caller &&caller);
  llvm::SmallVector<AbstractValue> handOver(llvm::ArrayRef<AbstractValue> containers);
  Result interpretBody(const Request &request, Specialization &made, llvm::ArrayRef<AbstractValue> inner);
  bool leavesChanges(const Request &request, const Specialization &made, llvm::ArrayRef<AbstractValue> before);
  FailureOr<Specialization> write(const Request &request, mlir::func::FuncOp function);
  Specialization *findFitting(Specialization *made, const Request &request);
  void finishBody(Specialization &made, llvm::ArrayRef<AbstractValue> before, Location defined);
  LogicalResult applyChanges(Location location, const Specialization &specialization, AbstractValue::Containers &known,
                             mlir::ValueRange &results);
  std::string getUniqueName(const std::string &base);

  unsigned maxCallDepth; ///< Depth of Python calls that is taken for a runaway recursion.
  llvm::DenseMap<mlir::Attribute, Specialization *> memo;
  std::deque<Specialization> specializations;
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> nextNumbers; ///< Of getUniqueName, by the name without its number.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_SPECIALIZATIONS_H
