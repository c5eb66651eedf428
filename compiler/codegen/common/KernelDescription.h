// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name and costs of an outlined kernel, derived from its linalg operations.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_KERNELDESCRIPTION_H
#define PLUMB_COMPILER_CODEGEN_COMMON_KERNELDESCRIPTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace plumb {

/// A kernel's name and the cost of one call.
struct KernelDescription {
  /// Kind and extents, such as `product_32x120x400`, in characters of symbols.
  std::string name;
  /// Two per multiply-add of contractions, without those on a halo's zeros.
  int64_t flops = 0;
  /// Each operand's bytes once, regardless of caches.
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// The program's line, and the library's within it: `lenet.py:35 conv.py:71`.
  std::string source;
};

/// Describes a function that consists of one kernel's linalg operations on its arguments.
KernelDescription describeKernel(mlir::func::FuncOp kernel);

/// An upper bound of the bytes that the body of `op` reads of a captured buffer.
int64_t getCapturedBytes(mlir::linalg::LinalgOp op, mlir::Value buffer);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_KERNELDESCRIPTION_H
