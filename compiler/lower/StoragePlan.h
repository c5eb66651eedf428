// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors of a step share memory.
//
// Tensors are values: a change makes a new one. Buffers are places: a change destroys the old content. A plan assigns every
// tensor of a step to a *storage* so that a tensor's storage holds it from its definition to its last use. It starts from
// one storage per tensor that something computes, and joins storages
//
// 1. where it must or always may: a reshape or slice lies in its source, an accumulator in its initial value;
// 2. with a variable, where the tensor is the variable's next value and nobody needs the old one any more;
// 3. with a dying input, where an operation reads and writes element by element;
// 4. as a part, where a tensor is made only to be inserted into another.
//
// Every other meeting of two storages is a copy, recorded here and emitted by ConvertTensorsToBuffers. Whatever is not
// proved safe is a copy.

#ifndef PLUMB_COMPILER_LOWER_STORAGEPLAN_H
#define PLUMB_COMPILER_LOWER_STORAGEPLAN_H

#include "compiler/lower/StepOrder.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

namespace plumb {

/// A place for tensors.
struct Storage {
  enum Kind {
    Arena,    ///< scratch memory of the step
    Variable, ///< a variable's own memory
    Foreign,  ///< a queue's slot or a constant: read-only
  };
  Kind kind = Arena;
  /// The contiguous type of the whole.
  mlir::MemRefType type;
  /// The variable's name when `kind` is Variable.
  mlir::StringAttr variable;
  /// The tensors that lie here at one time or another.
  mlir::SmallVector<mlir::Value> values;
  /// The storage that this is a part of, and the insertion that says which; null for one of its own.
  Storage *whole = nullptr;
  mlir::tensor::InsertSliceOp insertion;
  /// The parts of this one.
  mlir::SmallVector<Storage *> parts;
};

class StoragePlan {
public:
  explicit StoragePlan(device::LoopOp loop);

  /// Assigns every tensor; fails with an error at an operation that has no place in memory.
  mlir::LogicalResult run();

  /// The storage of a tensor that something defines; null for `tensor.empty`.
  Storage *lookup(mlir::Value value) const { return storages.lookup(value); }

  /// Whether the operand's content must be copied into the storage of what the operation makes of it.
  bool needsCopy(mlir::OpOperand &operand) const { return copies.contains(&operand); }

  /// Whether the source of `insert` is computed in its place already.
  bool isInPlace(mlir::tensor::InsertSliceOp insert) const {
    Storage *source = lookup(insert.getSource());
    return source && source->insertion == insert;
  }

  /// Whether a read must be copied away because the variable changes while the value is needed.
  bool needsSnapshot(device::ReadOp read) const {
    return lookup(read.getValue())->variable != read.getVariableAttr().getAttr();
  }

private:
  // Joining 1, in program order (StoragePlan.cpp).
  mlir::LogicalResult visit(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation *op);
  void visitExtract(mlir::tensor::ExtractSliceOp slice);
  mlir::LogicalResult visitPad(mlir::tensor::PadOp pad);
  void visitDestination(mlir::Operation *op, mlir::OpOperand &init, mlir::Value result, bool reads);
  void visitRead(device::ReadOp read);
  mlir::LogicalResult visitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult visitWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult visitIf(mlir::scf::IfOp branch);
  void visitCarried(mlir::OpOperand &init, mlir::Value argument);

  // Joining 2 (StorageVariables.cpp).
  /// What is decided about one variable so far.
  struct VariableState {
    /// The storages that lie in the variable's memory.
    mlir::SmallVector<Storage *> joined;
    /// The operations that write there.
    mlir::SmallVector<mlir::Operation *> changes;
  };
  void joinVariables();
  bool joinVariable(device::WriteOp write, VariableState &state);
  void snapshotRead(device::ReadOp read, mlir::ArrayRef<device::WriteOp> writes);
  bool isReadBetween(mlir::ArrayRef<mlir::Operation *> changes, device::WriteOp write);
  /// Whether `value` may be needed after `change` has written to the memory where it lies.
  bool destroys(mlir::Operation *change, mlir::Value value, llvm::function_ref<bool(mlir::Value)> isSameMemory) const;
  /// The operations that write to the memory of `storage`.
  mlir::SmallVector<mlir::Operation *> getChanges(const Storage &storage) const;
  bool isView(mlir::Value value) const;

  // Joining 3 (StorageJoins.cpp).
  void joinElementwise();
  void joinElementwise(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

  // Joining 4 (StorageParts.cpp).
  void placePart(mlir::tensor::InsertSliceOp insert);
  bool mayBePart(const Storage &part, mlir::tensor::InsertSliceOp insert) const;
  bool leavesPlace(mlir::Value value, unsigned begin, mlir::tensor::InsertSliceOp insert) const;
  /// The tensors that lie in a storage or its parts.
  static mlir::SmallVector<mlir::Value> getValues(const Storage &storage);

  Storage *create(mlir::Value value, Storage::Kind kind = Storage::Arena);
  void place(mlir::Value value, Storage *storage);
  void placeOrCreate(mlir::Value view, mlir::Value source);
  void join(Storage *kept, Storage *dropped);

  /// Whether `op` may overwrite `storage` to define `result` by way of `init`: nothing else there is needed later, and
  /// what `op` itself reads there it reads element by element.
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

/// Whether the padded tensor needs no memory of its own: it reads as zero outside, and only contractions read it.
bool mayStayHalo(mlir::tensor::PadOp pad);

/// Whether iterations of `op` touch the same single element of `operand` and of `init`.
bool isElementForElement(mlir::Operation *op, mlir::OpOperand &operand, mlir::OpOperand &init);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_STORAGEPLAN_H
