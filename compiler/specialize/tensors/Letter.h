// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values in the JSON of questions to the live Python process, and back. Containers travel by content with a number
// each; tensors, Parameters and functions travel as tokens. docs/rationale/python_capture.md has the form.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_LETTER_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_LETTER_H

#include "compiler/specialize/tensors/AbstractValue.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/JSON.h"

#include <functional>

namespace plumb::specialize {

/// The two directions of one question.
class Letter {
public:
  using Functions = llvm::DenseMap<uint64_t, AbstractValue>;

  /// With `functions`, which gets the inner functions that see no names, by their numbers, what is the same object has
  /// one number.
  Letter(std::function<bool(const AbstractValue &)> isToken, mlir::MLIRContext *context, unsigned depth,
         Functions *functions = nullptr)
      : isToken(std::move(isToken)), context(context), depth(depth), functions(functions) {}

  llvm::json::Value write(const AbstractValue &value);
  mlir::FailureOr<AbstractValue> read(const llvm::json::Value &text);

  llvm::SmallVector<AbstractValue> tokens;     ///< By their number.
  llvm::SmallVector<AbstractValue> containers; ///< By their number.
  llvm::SmallVector<AbstractValue> methods;    ///< By their number.
  /// Numbers of those that live objects hold: a change would not be seen there.
  llvm::SmallDenseSet<size_t> held;

private:
  llvm::json::Value writeConstant(mlir::Attribute constant);
  llvm::json::Value writeContainer(const AbstractValue &value);
  llvm::json::Value writeText(const AbstractValue &value);
  llvm::json::Value writeToken(const AbstractValue &value);
  llvm::json::Value writeInner(const AbstractValue &value);
  llvm::json::Value writeMethod(const AbstractValue &value);
  llvm::json::Array writeAll(llvm::ArrayRef<AbstractValue> values);
  mlir::FailureOr<AbstractValue> readObject(const llvm::json::Object &object);
  mlir::FailureOr<AbstractValue> readAttribute(llvm::StringRef text, std::optional<int64_t> origin);
  mlir::FailureOr<AbstractValue> readMethod(const llvm::json::Array &array);
  mlir::FailureOr<AbstractValue> readCounter(const llvm::json::Array &array);
  mlir::FailureOr<AbstractValue> readIterator(const llvm::json::Array &left, bool isReturned);
  mlir::FailureOr<AbstractValue> readTuple(const llvm::json::Array &items, const llvm::json::Object *type);
  mlir::FailureOr<AbstractValue> readSlice(const llvm::json::Array &items);
  mlir::FailureOr<AbstractValue> readText(const llvm::json::Array &pieces);
  mlir::FailureOr<AbstractValue> readContainer(const llvm::json::Object &object);
  mlir::FailureOr<llvm::SmallVector<AbstractValue>> readAll(const llvm::json::Array &array);

  std::function<bool(const AbstractValue &)> isToken; ///< Not to be looked into.
  mlir::MLIRContext *context;
  unsigned depth; ///< Where new containers may be changed.
  Functions *functions;
  llvm::DenseMap<const void *, size_t> shared;      ///< Numbers of tokens, by what they are.
  llvm::DenseMap<uint64_t, size_t> sharedFunctions; ///< The same of inner functions, by their numbers.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_LETTER_H
