// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes typed operations of the net dialect, and makes tensors of abstract values. It knows no Python statements, and
// its results are those of one operation each; what several make together is in TensorArithmetic.h and TensorAccess.h.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORWRITER_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORWRITER_H

#include "compiler/specialize/tensors/LiveProcess.h"

#include "dialects/net/ir/Primitives.h"

namespace plumb::specialize {

class TensorWriter : public Part {
public:
  using Extents = llvm::ArrayRef<int64_t>;

  TensorWriter(Workspace &workspace, LiveProcess &live) : Part(workspace), live(live) {}

  /// The typed primitive of that name; reports which is near and returns null if there is none.
  const net::PrimitiveInfo *getPrimitive(Location location, llvm::StringRef name);
  /// Writes a primitive; an op that refuses its operands is reported in the program's words. Yields its result, the
  /// tuple of several, or None.
  Result emit(Location location, const net::PrimitiveInfo &primitive, llvm::ArrayRef<Value> operands,
              llvm::ArrayRef<mlir::NamedAttribute> attributes);
  Result emit(Location location, llvm::StringRef primitive, llvm::ArrayRef<Value> operands,
              llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// The one result of a primitive.
  FailureOr<Value> emitValue(Location location, llvm::StringRef primitive, llvm::ArrayRef<Value> operands,
                             llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  /// `value` itself where it has the shape, the order or the element type already.
  FailureOr<Value> reshape(Location location, Value value, Extents shape);
  FailureOr<Value> broadcast(Location location, Value value, Extents shape);
  FailureOr<Value> transpose(Location location, Value value, Extents order);
  FailureOr<Value> cast(Location location, Value value, mlir::Type elementType);
  /// The rows of `value` along `axis` that `indices` names; with `wrap` negative numbers count from the end.
  FailureOr<Value> gather(Location location, Value value, Value indices, int64_t axis, bool wrap);

  Value makeConstant(Location location, mlir::DenseElementsAttr elements);
  /// A tensor of rank 0.
  Value makeScalar(Location location, Number number, mlir::Type elementType);
  /// A tensor of rank 1, of i64.
  Value makeNumbers(Location location, Extents numbers);
  /// The elements of a number, or of numbers in evenly nested sequences; those of a null type have the numbers' own.
  FailureOr<mlir::DenseElementsAttr> makeElements(Location location, const AbstractValue &value,
                                                  mlir::Type elementType);

  /// The value as a tensor. `elementType` is what a number becomes; a float that is wanted as an integer becomes f32
  /// instead of losing its fraction.
  FailureOr<Value> toTensor(Location location, const AbstractValue &value, mlir::Type elementType = {});
  /// The element type that a dtype, a type's name or `float` stands for; null for others.
  mlir::Type getDType(const AbstractValue &value);

  /// Puts their values in the place of Parameters, also inside of sequences and dicts, so that a gradient for the value
  /// is one for the Parameter. Those of integers have no gradient, and stay.
  LogicalResult readParameters(Location location, mlir::MutableArrayRef<AbstractValue> values);
  /// Writes a Parameter; numbers and narrower floats are converted, shapes are not.
  LogicalResult assign(Location location, mlir::FlatSymbolRefAttr parameter, const AbstractValue &value);

private:
  LiveProcess &live;
};

/// The extents of a tensor.
llvm::ArrayRef<int64_t> shapeOf(Value tensor);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORWRITER_H
