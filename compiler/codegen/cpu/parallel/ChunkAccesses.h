// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that calls of kernels access, chunk by chunk.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKACCESSES_H
#define PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKACCESSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb {

/// The access of a call to one buffer. Chunk 0 accesses the bytes from `begin` to `end` relative to the root, chunk n
/// those `n · step` bytes further on; without a step, every chunk may access all of them.
struct MemoryAccess {
  mlir::Value root;
  int64_t begin = 0, end = 0, step = 0;
  bool writes = false;
};

using MemoryAccesses = llvm::SmallVector<MemoryAccess>;

/// Whether an access of `some` writes memory that an access of `others` reads or writes, or vice versa.
bool conflict(llvm::ArrayRef<MemoryAccess> some, llvm::ArrayRef<MemoryAccess> others);

/// Whether corresponding chunks of both access the same range of the buffer, and no other chunk accesses that range.
bool isInStep(const MemoryAccess &a, const MemoryAccess &b);

/// Bytes that one chunk accesses with a step.
int64_t countBytes(llvm::ArrayRef<MemoryAccess> accesses);

/// The kernels of one module, and the memory that their calls access.
class ChunkAccesses {
public:
  explicit ChunkAccesses(const mlir::SymbolTable &symbols) : symbols(symbols) {}

  mlir::func::FuncOp getCallee(mlir::func::CallOp call) const;
  /// The function of one chunk, or the function itself.
  mlir::func::FuncOp getChunkFunction(mlir::func::FuncOp chunks) const;
  /// Whether the body that `function` runs is known, and with it the accesses of its calls.
  bool isKernel(mlir::func::FuncOp function) const;
  /// The accesses of `call`, without results that its code keeps in registers.
  MemoryAccesses getAccesses(mlir::func::CallOp call);
  /// Must be called before `function` is erased.
  void forget(mlir::func::FuncOp function) { unstored.erase(function); }

private:
  const llvm::BitVector &findUnstored(mlir::func::FuncOp function);

  const mlir::SymbolTable &symbols;
  /// By function: its arguments that the code never accesses in memory.
  llvm::DenseMap<mlir::func::FuncOp, llvm::BitVector> unstored;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PARALLEL_CHUNKACCESSES_H
