// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cutting a kernel's operations into grains. Every operation is cut along one
// of its parallel loops into ranges of equal length; grain g of all operations
// is one call of a function over parts of their buffers. It is legal where no
// grain needs what another one writes:
//
//   * what an operation writes is cut by its loop alone (y[.., i, ..]);
//   * who else touches that buffer touches the same part of it in each grain;
//   * what is only read may be read by many: windows overlap.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_KERNELSPLIT_H
#define PLUMB_COMPILER_CODEGEN_CPU_KERNELSPLIT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

using LinalgOps = llvm::ArrayRef<mlir::linalg::LinalgOp>;

/// How the operations of a kernel are cut: the loop of each of them.
struct KernelSplit {
  int64_t grains = 0;
  llvm::SmallVector<unsigned> loops;
};

/// One grain of a kernel as a function, and what each of its arguments is: an
/// argument of the whole kernel, some bytes further on by grain.
struct GrainFunction {
  mlir::func::FuncOp function;
  llvm::SmallVector<unsigned> arguments;
  llvm::SmallVector<int64_t> steps;
};

/// Whether arguments `a` and `b` of the kernel share no byte.
using AreApart = llvm::function_ref<bool(unsigned a, unsigned b)>;

/// Cuts `ops` of one function along `loop` of operation `main` and along the
/// loops of the others that go with it, if that is legal.
mlir::FailureOr<KernelSplit> splitAlong(LinalgOps ops, unsigned main,
                                        unsigned loop, int64_t grains,
                                        AreApart areApart);

/// A function, in no module yet, that does one grain of `ops`, operations of
/// `kernel`. With a split into no grains it does all of them.
GrainFunction buildGrainFunction(mlir::func::FuncOp kernel, LinalgOps ops,
                                 const KernelSplit &split);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_KERNELSPLIT_H
