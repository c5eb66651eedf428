// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cutting a kernel's operations into grains. Every operation is cut along one
// of its parallel loops into ranges of equal length; grain g of all operations
// is one call of a function over parts of their buffers. It is legal where no
// grain needs what another one writes:
//
//   * what an operation writes is cut by its loop alone (y[.., i, ..]);
//   * who else touches that buffer touches the same part of it in each grain;
//   * what is only read may be read by many: windows overlap;
//   * what a body captures every grain reads as a whole, so nothing writes it.
//
// A sum can also be cut along what it adds up: each grain then has results of its
// own, which are added up, in their order, when all grains are done.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_KERNELSPLIT_H
#define PLUMB_COMPILER_CODEGEN_CPU_KERNELSPLIT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace plumb {

using LinalgOps = llvm::ArrayRef<mlir::linalg::LinalgOp>;

/// How the operations of a kernel are cut: the loop of each of them. Of a sum that is
/// cut along a reduction, operation `sum`, only the sum's own loop counts.
struct KernelSplit {
  int64_t grains = 0;
  llvm::SmallVector<unsigned> loops;
  std::optional<unsigned> sum;
};

/// Whether arguments `a` and `b` of the kernel share no byte.
using AreApart = llvm::function_ref<bool(unsigned a, unsigned b)>;

/// Whether arguments `a` and `b` share no byte in any of `calls`.
bool areApartInAll(llvm::ArrayRef<mlir::func::CallOp> calls, unsigned a, unsigned b);

/// Cuts `ops` of one function along `loop` of operation `main` and along the
/// loops of the others that go with it, if that is legal.
mlir::FailureOr<KernelSplit> splitAlong(LinalgOps ops, unsigned main,
                                        unsigned loop, int64_t grains,
                                        AreApart areApart);

/// Cuts operation `sum` of `ops` along its reduction `loop`, if it is a sum that can
/// be made in parts.
mlir::FailureOr<KernelSplit> splitSum(LinalgOps ops, unsigned sum, unsigned loop,
                                      int64_t grains);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_KERNELSPLIT_H
