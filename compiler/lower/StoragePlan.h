// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-shot bufferization: which tensors of a step share memory.
//
// Tensors are values, and an update makes a new one; buffers are memory, and an update destroys the old content. A plan
// assigns each tensor of a step to a *storage*, which holds the tensor from its definition to its last use. At first
// each computed tensor has a storage of its own. Storages are joined
//
// 1. where that is always legal: a reshape or slice is in the storage of its source, a result in that of its initial
//    value;
// 2. with a variable, if the tensor is the variable's next value and the old one has no later use;
// 3. with an input that has its last use in an elementwise operation;
// 4. as a part of another storage, if the tensor is computed only to be inserted into another one.
//
// Where an operation needs two tensors in one storage and that is not proved safe, the plan records a copy, which
// ConvertTensorsToBuffers emits.

#ifndef PLUMB_COMPILER_LOWER_STORAGEPLAN_H
#define PLUMB_COMPILER_LOWER_STORAGEPLAN_H

#include "compiler/lower/Slices.h"
#include "compiler/lower/StepOrder.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

namespace plumb {

/// Memory for tensors whose live ranges do not overlap.
struct Storage {
  enum Kind {
    Arena,    ///< scratch memory of the step
    Variable, ///< a variable's own memory
    ReadOnly, ///< a queue's slot or a constant
  };
  Kind kind = Arena;
  /// The type of the memory, which is contiguous.
  mlir::MemRefType type;
  /// The variable's name when `kind` is Variable.
  mlir::StringAttr variable;
  /// The tensors that are in this storage at some time.
  mlir::SmallVector<mlir::Value> values;
  /// The storage that contains this one, and the insertion that determines which part it is; null for a separate
  /// storage.
  Storage *parent = nullptr;
  mlir::tensor::InsertSliceOp insertion;
  /// The storages that are parts of this one.
  mlir::SmallVector<Storage *> parts;
  /// The positions of the first definition and the last use of the tensors here and in the parts.
  unsigned firstDefinition = ~0u, lastUse = 0;
  /// The regions of the parts; and, of the first `counted` tensors, the position of the last definition by another
  /// operation than the insertion of a part, or use by another than an insertion into it.
  InsertedRegions regions;
  size_t counted = 0;
  unsigned lastOther = 0;
};

class StoragePlan {
public:
  explicit StoragePlan(device::LoopOp loop);

  /// Assigns every tensor; fails with an error at an operation that cannot be bufferized.
  mlir::LogicalResult run();

  /// The storage of a tensor; null for `tensor.empty`.
  Storage *lookup(mlir::Value value) const { return storages.lookup(value); }

  /// Whether the operand must be copied to the storage of the result that it initializes.
  bool needsCopy(mlir::OpOperand &operand) const { return copies.contains(&operand); }

  /// Whether the source of `insert` is computed in the destination, so that the insertion does nothing.
  bool isInPlace(mlir::tensor::InsertSliceOp insert) const {
    Storage *source = lookup(insert.getSource());
    return source && source->insertion == insert;
  }

  /// Whether a read must copy the variable because it is written before the value's last use.
  bool needsSnapshot(device::ReadOp read) const {
    return lookup(read.getValue())->variable != read.getVariableAttr().getAttr();
  }

private:
  // Joining 1, in program order (StoragePlan.cpp).
  mlir::LogicalResult visit(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation *op);
  void visitConstant(mlir::arith::ConstantOp constant);
  mlir::LogicalResult visitBitcast(mlir::tensor::BitcastOp cast);
  mlir::LogicalResult visitLinalg(mlir::linalg::LinalgOp op);
  void visitExtract(mlir::tensor::ExtractSliceOp slice);
  mlir::LogicalResult visitPad(mlir::tensor::PadOp pad);
  void visitDestination(mlir::Operation *op, mlir::OpOperand &init, mlir::Value result, bool reads);
  void visitRead(device::ReadOp read);
  mlir::LogicalResult visitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult visitWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult visitIf(mlir::scf::IfOp branch);
  void visitCarried(mlir::OpOperand &init, mlir::Value argument);

  // Joining 2 (StorageVariables.cpp).
  /// The decisions about one variable so far.
  struct VariableState {
    /// The storages that were joined with the variable.
    mlir::SmallVector<Storage *> joined;
    /// The operations that write to its memory.
    mlir::SmallVector<mlir::Operation *> changes;
  };
  void joinVariables();
  bool joinVariable(device::WriteOp write, VariableState &state);
  void snapshotRead(device::ReadOp read, mlir::ArrayRef<device::WriteOp> writes);
  bool isReadBetween(mlir::ArrayRef<mlir::Operation *> changes, device::WriteOp write);
  /// Whether `value` may have a use after `change` has overwritten its memory.
  bool destroys(mlir::Operation *change, mlir::Value value, llvm::function_ref<bool(mlir::Value)> isSameMemory) const;
  /// The operations that write to the memory of `storage`.
  mlir::SmallVector<mlir::Operation *> getChanges(const Storage &storage) const;
  bool isView(mlir::Value value) const;

  // Joining 3 (StorageJoins.cpp).
  void joinElementwise();
  void joinElementwise(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

  // Joining 4 (StorageParts.cpp).
  void joinPart(mlir::tensor::InsertSliceOp insert);
  bool canBePart(const Storage &part, mlir::tensor::InsertSliceOp insert) const;
  bool avoidsRegion(mlir::Value value, unsigned begin, mlir::tensor::InsertSliceOp insert) const;
  bool hasFreeRegion(Storage &parent, unsigned begin, mlir::tensor::InsertSliceOp insert);
  unsigned getLastOther(mlir::Value value) const;
  /// The tensors in a storage and its parts.
  static mlir::SmallVector<mlir::Value> getValues(const Storage &storage);

  Storage *create(mlir::Value value, Storage::Kind kind = Storage::Arena);
  void createAll(mlir::ValueRange values, Storage::Kind kind = Storage::Arena);
  void assign(mlir::Value value, Storage *storage);
  void assignOrCreate(mlir::Value view, mlir::Value source);
  void join(Storage *kept, Storage *dropped);

  /// Whether `op` may overwrite `storage` with the result of `init`: no other tensor there has a later use, and `op`
  /// itself reads the storage only in the iterations that write the same element.
  bool mayOverwrite(Storage *storage, mlir::Operation *op, mlir::OpOperand *init) const;

  device::LoopOp loop;
  StepOrder order;
  std::deque<Storage> pool;
  llvm::DenseMap<mlir::Value, Storage *> storages;
  llvm::DenseSet<mlir::OpOperand *> copies;
  llvm::MapVector<mlir::StringAttr, mlir::SmallVector<device::WriteOp>> writes;
  llvm::MapVector<mlir::StringAttr, mlir::SmallVector<device::ReadOp>> reads;
  mlir::SmallVector<mlir::linalg::LinalgOp> elementwise;
};

/// Whether the padded tensor can be a `device.halo`, without memory of its own: the padding is zero, and only
/// contractions read the tensor.
bool mayStayHalo(mlir::tensor::PadOp pad);

/// Whether each iteration of `op` accesses one element of `operand`, and the same one of `init`.
bool isElementForElement(mlir::Operation *op, mlir::OpOperand &operand, mlir::OpOperand &init);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_STORAGEPLAN_H
