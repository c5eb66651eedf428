// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors are one object: what `x is y` asks. See TensorIdentities.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORIDENTITIES_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORIDENTITIES_H

#include "compiler/specialize/tensors/LiveProcess.h"

#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb::specialize {

class TensorIdentities : public Part {
public:
  TensorIdentities(Workspace &workspace, LiveProcess &live) : Part(workspace), live(live) {}

  SameTensor areOne(Value left, Value right);
  /// Of a tensor and a constant, which may be a tensor from outside that the program is called with, too.
  SameTensor areOne(Value tensor, mlir::DenseElementsAttr constant);
  /// Of two constants that are equal.
  SameTensor areOne(mlir::DenseElementsAttr constant);

  /// The arguments of the program, which stand for tensors of its caller's.
  void setInputs(mlir::Block *block) { inputs = block; }
  /// Says what a call passes for the arguments of a function that is going to be written.
  void pass(mlir::ValueRange arguments, llvm::ArrayRef<Value> operands);
  /// What the function's body has asked about its arguments, now that it is written.
  llvm::SmallVector<AskedIdentity, 0> takeAsked(mlir::ValueRange arguments);
  /// Whether the answers that a function's body was given hold for a call that passes `operands`.
  bool fits(const Specialization &made, llvm::ArrayRef<Value> operands);

private:
  SameTensor areOneOrigin(Value left, Value right);
  SameTensor areOneOrigin(Value tensor, mlir::DenseElementsAttr constant);
  SameTensor areOneArgument(mlir::BlockArgument left, mlir::BlockArgument right);
  SameTensor ask(llvm::StringRef question, const Arguments &arguments);

  LiveProcess &live;
  mlir::Block *inputs = nullptr;
  llvm::DenseMap<Value, Value> passed; ///< Operands by the arguments of functions that are being written.
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<AskedIdentity, 0>> asked; ///< By the function's body.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORIDENTITIES_H
