// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory for one operation. Inside a device loop it is the end of the
// arena, shared by all operations that ask, since none runs while another
// does; in a plain function it is the stack.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SCRATCH_H
#define PLUMB_COMPILER_CODEGEN_CPU_SCRATCH_H

#include "dialects/device/ir/Device.h"

#include "mlir/IR/Builders.h"

namespace plumb {

/// Hands out scratch buffers for the operations around `user`.
class Scratch {
public:
  explicit Scratch(mlir::Operation *user);

  /// A contiguous buffer of `type` that no earlier one of this object overlaps.
  mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location location,
                       mlir::MemRefType type);

  /// Bytes handed out so far.
  int64_t getBytes() const { return bytes; }

private:
  /// The loop around the user, or null.
  mlir::Operation *loop;
  /// Where the arena's scratch begins.
  int64_t start = 0;
  int64_t bytes = 0;
};

/// Makes the arena of `module` large enough for `bytes` of scratch, and enters
/// it into the table of buffers as `name`. Called once, after all requests.
void reserveScratch(device::ModuleOp module, llvm::StringRef name, int64_t bytes);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SCRATCH_H
