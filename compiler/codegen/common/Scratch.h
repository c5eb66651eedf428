// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory for one operation. Inside a device loop it is the end of the arena, which all operations share, since
// they run one after the other; in a plain function it is the stack.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_SCRATCH_H
#define PLUMB_COMPILER_CODEGEN_COMMON_SCRATCH_H

#include "dialects/device/ir/Device.h"

#include "mlir/IR/Builders.h"

namespace plumb {

/// Allocates scratch buffers for the operations around `user`.
class Scratch {
public:
  explicit Scratch(mlir::Operation *user);

  /// A contiguous buffer of `type` that no earlier one of this object overlaps.
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location location, mlir::MemRefType type);

  /// Bytes allocated so far.
  int64_t getBytes() const { return bytes; }

private:
  /// The loop around the user, or null.
  mlir::Operation *loop;
  /// The offset at which the arena's scratch begins.
  int64_t start = 0;
  int64_t bytes = 0;
};

/// Extends the arena of `module` by `bytes` of scratch, and enters it into the table of buffers as `name`. Called once,
/// after all allocations.
void reserveScratch(device::ModuleOp module, llvm::StringRef name, int64_t bytes);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_SCRATCH_H
