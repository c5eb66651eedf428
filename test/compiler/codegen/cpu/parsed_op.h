// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg operation from text, for unit tests of analyses and cost models.

#ifndef PLUMB_TEST_COMPILER_CODEGEN_CPU_PARSED_OP_H
#define PLUMB_TEST_COMPILER_CODEGEN_CPU_PARSED_OP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace plumb {

/// The maps and types of a contraction.
struct Contraction {
  /// A letter per loop: p for a parallel one, r for a reduction.
  std::string kinds;
  /// The indexing maps of x, y and z, such as `(i, j) -> (i)`.
  std::string xMap, yMap, zMap;
  /// Their types.
  std::string x, y, z;
  /// `low […] high […]` where x is read through a halo, and the halo's type.
  std::string halo = "", haloType = "";
};

/// Owns the module of an operation.
class ParsedOp {
public:
  /// `text` is the body of a function with arguments `arguments`; it holds one linalg operation that is no fill.
  /// Throws std::invalid_argument with MLIR's message where it cannot be parsed.
  ParsedOp(const std::string &arguments, const std::string &text);

  /// An operation that adds the products of its inputs x and y to its output z.
  explicit ParsedOp(const Contraction &contraction);

  mlir::linalg::LinalgOp op;

private:
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace plumb

#endif // PLUMB_TEST_COMPILER_CODEGEN_CPU_PARSED_OP_H
