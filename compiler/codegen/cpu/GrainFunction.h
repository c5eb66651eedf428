// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the grains of a kernel (KernelSplit.h).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_GRAINFUNCTION_H
#define PLUMB_COMPILER_CODEGEN_CPU_GRAINFUNCTION_H

#include "compiler/codegen/cpu/KernelSplit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {

/// One grain of a kernel as a function, and what each of its arguments is: an
/// argument of the whole kernel, some bytes further on by grain. The number behind
/// the kernel's last argument stands for the partial results of a sum.
struct GrainFunction {
  mlir::func::FuncOp function;
  llvm::SmallVector<unsigned> arguments;
  llvm::SmallVector<int64_t> steps;
};

/// A function, in no module yet, that does one grain of `ops`, operations of
/// `kernel`. With a split into no grains it does all of them.
GrainFunction buildGrainFunction(mlir::func::FuncOp kernel, LinalgOps ops,
                                 const KernelSplit &split);

/// A function that does what is left when all grains of a sum are done: adds their
/// partial results, and goes on with what comes behind the sum.
GrainFunction buildSumFunction(mlir::func::FuncOp kernel, LinalgOps ops,
                               const KernelSplit &split);

/// The partial results of a sum: one set of results for each grain.
mlir::MemRefType getPartialsType(LinalgOps ops, const KernelSplit &split);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_GRAINFUNCTION_H
