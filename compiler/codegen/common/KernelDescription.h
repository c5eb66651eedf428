// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an outlined kernel is and costs, read off its linalg operations.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_KERNELDESCRIPTION_H
#define PLUMB_COMPILER_CODEGEN_COMMON_KERNELDESCRIPTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace plumb {

/// A kernel's name and the cost of one call.
struct KernelDescription {
  /// Kind and extents, such as `product_32x120x400`; a symbol's characters.
  std::string name;
  /// Two for each multiply-add of the products and convolutions, those with
  /// the zeros of a halo left out.
  int64_t flops = 0;
  /// Each operand's bytes once, whatever the caches do.
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// The program's line, and the library's within it: `lenet.py:35 conv.py:71`.
  std::string source;
};

/// Describes a function whose body is one kernel's linalg operations on memory
/// that comes in as arguments.
KernelDescription describeKernel(mlir::func::FuncOp kernel);

/// Bytes that the body of `op` reads, at most, of a buffer that it captures.
int64_t getCapturedBytes(mlir::linalg::LinalgOp op, mlir::Value buffer);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_KERNELDESCRIPTION_H
