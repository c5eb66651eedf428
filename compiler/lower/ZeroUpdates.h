// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of a table by a gradient that is zero almost everywhere, as the adjoint of a lookup makes it: what
// ElideZeroUpdates rewrites.

#ifndef PLUMB_COMPILER_LOWER_ZEROUPDATES_H
#define PLUMB_COMPILER_LOWER_ZEROUPDATES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace plumb {

/// An update w - g * rate of the table w, whose gradient g is filled with zeros, then added to by a loop.
struct ZeroUpdate {
  mlir::linalg::FillOp fill;
  mlir::scf::ForOp loop;
  mlir::linalg::GenericOp update;
  /// The loop's only store, to the gradient.
  mlir::memref::StoreOp store;
  /// Scalar inputs that the gradient is multiplied with.
  mlir::SmallVector<mlir::Value> factors;

  mlir::Value getGradient() { return fill.getDpsInits()[0]; }
  mlir::Value getTable() { return update.getDpsInits()[0]; }
};

/// The update that `fill` begins: one that leaves an element of the table as it is where its gradient is zero, as long
/// as no factor is negative, infinite or NaN. Nothing if there is none, or if the loop adds to so many elements that an
/// update of the complete table takes less time.
std::optional<ZeroUpdate> findZeroUpdate(mlir::linalg::FillOp fill);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_ZEROUPDATES_H
