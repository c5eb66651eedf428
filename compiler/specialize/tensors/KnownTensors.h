// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of tensors that constants alone decide. See KnownTensors.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_KNOWNTENSORS_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_KNOWNTENSORS_H

#include "compiler/specialize/tensors/LiveProcess.h"

#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace plumb::specialize {

/// Finds the values of tensors by following them back to constants, through what calls pass for the arguments of the
/// functions that are being written.
class KnownTensors : public Part {
public:
  KnownTensors(Workspace &workspace, LiveProcess &live) : Part(workspace), live(live) {}

  /// The constant that a tensor computed from constants alone is; `value` itself where it is something else.
  AbstractValue get(const AbstractValue &value);
  /// The truth of a condition, an i1, where constants decide it whatever the function is passed.
  std::optional<bool> findTruth(Value condition);
  /// The int that a value is, or a constant tensor of one integer.
  std::optional<int64_t> getIndex(const AbstractValue &value);
  /// Start, stop and step of a slice, as far as they are given.
  FailureOr<std::array<std::optional<int64_t>, 3>> getSliceBounds(Location location, const AbstractValue &slice);

  /// Says what a call passes for the arguments of a function that is going to be written; null for what it must not
  /// know.
  void pass(mlir::ValueRange arguments, llvm::ArrayRef<Value> operands);
  /// The arguments that the function's body has asked for, with what it found, now that it is written.
  llvm::SmallVector<std::pair<unsigned, mlir::DenseElementsAttr>> takeAsked(mlir::ValueRange arguments);
  /// Whether what a function's body has found holds for a call that passes `operands`.
  bool fits(const Specialization &made, mlir::ValueRange operands);

  /// While the condition of a loop is tried as a constant, no tensor is known.
  bool isDecidingLoop = false;

private:
  /// What a call passes for an argument.
  struct Passed {
    Value operand; ///< Null where the function must not know it.
    /// Its elements, once the body has asked for them; null where they are not known while compiling.
    std::optional<mlir::DenseElementsAttr> elements = std::nullopt;
  };
  using FindPassed = llvm::function_ref<mlir::DenseElementsAttr(mlir::BlockArgument)>;

  mlir::DenseElementsAttr findElements(Value tensor);
  mlir::DenseElementsAttr findPassed(mlir::BlockArgument argument);
  /// Has the live process compute a tensor; see ConstantPrograms.cpp.
  mlir::DenseElementsAttr compute(Value tensor, FindPassed findPassed);

  LiveProcess &live;
  llvm::DenseMap<Value, Passed> passed;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_KNOWNTENSORS_H
