// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stages find in the frame that a loop hands them: not each buffer that a
// kernel takes, but the few values that buffers are counted from.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_STAGEFRAME_H
#define PLUMB_COMPILER_CODEGEN_COMMON_STAGEFRAME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// The place `bytes` bytes behind `base`.
mlir::Value addBytes(mlir::ImplicitLocOpBuilder &builder, mlir::Value base, int64_t bytes);

/// The frame of kernels that follow each other.
class StageFrame {
public:
  explicit StageFrame(llvm::ArrayRef<mlir::Operation *> kernels);

  /// Slots of eight bytes.
  size_t size() const { return slots.size(); }
  /// Fills the frame at `frame`, in the loop.
  void store(mlir::ImplicitLocOpBuilder &builder, mlir::Value frame) const;
  /// From here on, load() is asked by a stage whose frame is at `frame`.
  void enterStage(mlir::Value frame);
  /// `value` of the loop, in the stage.
  mlir::Value load(mlir::ImplicitLocOpBuilder &builder, mlir::Value value);

private:
  /// A value as some bytes behind another one.
  struct Address {
    mlir::Value base;
    int64_t bytes = 0;
  };
  static Address find(mlir::Value value);

  llvm::DenseMap<mlir::Value, Address> addresses;
  /// By base: its number in the frame.
  llvm::MapVector<mlir::Value, int64_t> slots;
  /// The stage's frame, and what it has loaded from there.
  mlir::Value frame;
  llvm::DenseMap<mlir::Value, mlir::Value> loaded;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_STAGEFRAME_H
