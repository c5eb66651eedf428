// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x[index]` and `x[index] = value` on tensors. What an index names is found in TensorIndex.cpp, the operations that
// read it and store there are written in TensorAccess.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORACCESS_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORACCESS_H

#include "compiler/specialize/tensors/KnownTensors.h"
#include "compiler/specialize/tensors/TensorArithmetic.h"
#include "compiler/specialize/tensors/TensorIndex.h"

namespace plumb::specialize {

class TensorAccess : public Part {
public:
  TensorAccess(Workspace &workspace, LiveProcess &live, KnownTensors &knownTensors, TensorWriter &writer,
               TensorArithmetic &arithmetic)
      : Part(workspace), live(live), knownTensors(knownTensors), writer(writer), arithmetic(arithmetic) {}

  /// `object[index]` of a tensor or Parameter.
  Result subscript(Location location, const AbstractValue &object, const AbstractValue &index);
  /// The tensor that `object[index] = value` leaves.
  Result store(Location location, const AbstractValue &object, const AbstractValue &index, const AbstractValue &value);
  /// Whether there has been such a store.
  bool hasStored() const { return stores; }

private:
  using Extents = llvm::ArrayRef<int64_t>;

  // TensorIndex.cpp
  LogicalResult checkIndices(Location location, const AbstractValue &item, int64_t axis, int64_t size);
  LogicalResult enterMask(Location location, TensorIndex &index, mlir::RankedTensorType type,
                          const AbstractValue &item);
  LogicalResult enterIndex(Location location, TensorIndex &index, mlir::RankedTensorType type,
                           const AbstractValue &item);
  Result convertItem(Location location, const AbstractValue &item);
  FailureOr<TensorIndex> getIndex(Location location, mlir::RankedTensorType type, llvm::ArrayRef<AbstractValue> given);

  // TensorAccess.cpp: reading
  FailureOr<Value> reverseAxes(Location location, Value value, Extents axes);
  FailureOr<Value> takeBox(Location location, Value value, const TensorIndex &index);
  FailureOr<Value> putBox(Location location, Value value, Value box, const TensorIndex &index);
  FailureOr<Value> makeChoice(Location location, const TensorIndex &index);
  FailureOr<llvm::SmallVector<int64_t>> getChosenShape(Location location, const TensorIndex &index);

  // TensorAccess.cpp: storing
  FailureOr<Value> convertStored(Location location, const AbstractValue &value, mlir::Type elementType);
  FailureOr<Value> broadcastStored(Location location, Value value, Extents shape);
  FailureOr<Value> invertChoice(Location location, Value choice, int64_t count);
  FailureOr<Value> storeRows(Location location, Value rows, Value choice, Value value, int64_t axis);
  FailureOr<Value> storeRow(Location location, Value rows, Value choice, Value row, int64_t axis);
  FailureOr<Value> storeChosen(Location location, Value box, const TensorIndex &index, Value value, Extents chosen);
  FailureOr<Value> storeMasked(Location location, Value tensor, Value mask, Value value);

  LiveProcess &live;
  KnownTensors &knownTensors;
  TensorWriter &writer;
  TensorArithmetic &arithmetic;
  bool stores = false;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_TENSORACCESS_H
