// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory calls of kernels touch, grain by grain.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_GRAINTOUCHES_H
#define PLUMB_COMPILER_CODEGEN_CPU_GRAINTOUCHES_H

#include "compiler/codegen/common/CpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb {

/// What a call does with a buffer. A grain touches the bytes from `begin` to `end`
/// behind the root, or those `step` bytes further on by grain; without a step,
/// anybody may touch all of it.
struct Touch {
  mlir::Value root;
  int64_t begin = 0, end = 0, step = 0;
  bool writes = false;
};

using Touches = llvm::SmallVector<Touch>;

/// Whether something of `some` writes what something of `others` touches, or the other
/// way round.
bool conflict(llvm::ArrayRef<Touch> some, llvm::ArrayRef<Touch> others);

/// Whether both go through the same memory in the same steps, none of which
/// reaches into another.
bool isInStep(const Touch &a, const Touch &b);

/// Bytes that one grain touches in steps.
int64_t countBytes(llvm::ArrayRef<Touch> touches);

/// How many grains a function stands for; 0 where it is one kernel.
int64_t getGrains(mlir::func::FuncOp function);

/// By argument of a function that stands for grains: bytes from grain to grain.
llvm::ArrayRef<int64_t> getSteps(mlir::func::FuncOp grains);

/// The kernels of one module, which calls name.
class GrainTouches {
public:
  GrainTouches(const mlir::SymbolTable &symbols, const CpuTarget &target)
      : symbols(symbols), target(target) {}

  mlir::func::FuncOp getCallee(mlir::func::CallOp call) const;
  /// What does one grain, or the function itself.
  mlir::func::FuncOp getPart(mlir::func::FuncOp grains) const;
  /// Whether the body that `function` runs is known, and with it what a call touches.
  bool isKernel(mlir::func::FuncOp function) const;
  /// What `call` touches, but for results that its code has in registers only.
  Touches getTouches(mlir::func::CallOp call);
  /// To be told before `function` is erased.
  void forget(mlir::func::FuncOp function) { unstored.erase(function); }

private:
  const llvm::BitVector &findUnstored(mlir::func::FuncOp function);

  const mlir::SymbolTable &symbols;
  const CpuTarget &target;
  /// Which arguments of a function are never in memory.
  llvm::DenseMap<mlir::func::FuncOp, llvm::BitVector> unstored;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_GRAINTOUCHES_H
