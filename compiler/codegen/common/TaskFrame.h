// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame that a loop passes to its tasks: not each buffer that a kernel accesses, but the few base addresses that
// buffers are relative to.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_TASKFRAME_H
#define PLUMB_COMPILER_CODEGEN_COMMON_TASKFRAME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// The address `bytes` bytes after `base`.
mlir::Value addBytes(mlir::ImplicitLocOpBuilder &builder, mlir::Value base, int64_t bytes);

/// The frame of consecutive kernels.
class TaskFrame {
public:
  explicit TaskFrame(llvm::ArrayRef<mlir::Operation *> kernels);

  /// Words of eight bytes.
  size_t size() const { return words.size(); }
  /// Stores the frame at `frame`, in the loop.
  void store(mlir::ImplicitLocOpBuilder &builder, mlir::Value frame) const;
  /// Makes load() build into the task whose frame is at `frame`.
  void enterTask(mlir::Value frame);
  /// The loop's `value`, in the task.
  mlir::Value load(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);

private:
  /// A value as a base and an offset.
  struct Address {
    mlir::Value base;
    int64_t bytes = 0;
  };
  static Address find(mlir::Value value);

  llvm::DenseMap<mlir::Value, Address> addresses;
  /// By base: its word in the frame.
  llvm::MapVector<mlir::Value, int64_t> words;
  /// The task's frame, and the values loaded from it.
  mlir::Value frame;
  llvm::DenseMap<mlir::Value, mlir::Value> loaded;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_TASKFRAME_H
