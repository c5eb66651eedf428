// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values a gradient can reach. A value is *active* when it is of numbers and depends on something that is
// differentiated: an argument, or a parameter through a read. Only active values get adjoints, so an op without an
// adjoint rule is an error only where a gradient would have to pass it, and not on the way of labels or indices.

#ifndef PLUMB_COMPILER_AUTODIFF_ACTIVITY_H
#define PLUMB_COMPILER_AUTODIFF_ACTIVITY_H

#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {

/// The parameter that a read reads or an assign writes.
inline mlir::StringAttr getParameterName(mlir::Operation *op) {
  return op->getAttrOfType<mlir::FlatSymbolRefAttr>("parameter").getAttr();
}

/// Whether `type` is a tensor of integers, which booleans are not.
inline bool isIntegerTensor(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && mlir::isa<mlir::IntegerType>(tensor.getElementType()) && !tensor.getElementType().isInteger(1);
}

/// The active values of one differentiated piece of code.
class Activity {
public:
  /// Whether tensors of `type` have a gradient: those of integers as if they were floating point, with fractions cut.
  static bool isDifferentiable(mlir::Type type);

  /// Makes `value` active if its type can be.
  void markValue(mlir::Value value);
  /// Makes the reads of `parameter` active.
  void markParameter(mlir::StringAttr parameter) { changed |= parameters.insert(parameter).second; }

  /// Follows activity through `ops`, which stand in program order, and their regions.
  void propagate(llvm::ArrayRef<mlir::Operation *> ops);
  /// Follows activity through all ops of `block`.
  void propagate(mlir::Block &block);

  /// Drops values that are about to be erased: a later one may take their address.
  void forget(mlir::ValueRange range);
  /// Drops the results of `op` and all values inside.
  void forget(mlir::Operation *op);

  bool isActive(mlir::Value value) const { return values.contains(value); }
  bool isActive(mlir::ValueRange range) const;

private:
  bool passesOn(mlir::Operation *op) const;
  void visit(mlir::Operation *op);
  void visitIf(mlir::scf::IfOp op);
  void visitLoop(mlir::LoopLikeOpInterface op);
  /// Makes each value of `to` active whose counterpart in `from` is.
  void flow(mlir::ValueRange from, mlir::ValueRange to);

  llvm::DenseSet<mlir::Value> values;
  llvm::DenseSet<mlir::StringAttr> parameters;
  /// Set by every growth of the two sets, so that a loop knows when to stop going round.
  bool changed = false;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_ACTIVITY_H
