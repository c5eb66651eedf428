// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra: shape rules.

#include "dialects/net/ir/NetLinalgOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetLinalgOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerLinalgOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetLinalgOps.cpp.inc"
      >();
}

namespace {

/// A batch of matrices: its extents, rows and columns.
struct Matrices {
  Shape batch;
  int64_t rows, columns;

  int64_t smaller() const { return std::min(rows, columns); }
  Shape with(ArrayRef<int64_t> extents) const {
    Shape shape = batch;
    llvm::append_range(shape, extents);
    return shape;
  }
};

} // namespace

/// Refuses tensors of less than two axes, and of other than square matrices if those are wanted.
static FailureOr<Matrices> inferMatrices(OptionalLocation loc, StringRef what, Value x, bool square) {
  RankedTensorType type = tensorType(x);
  int64_t rank = type.getRank();
  if (rank < 2 || (square && type.getDimSize(rank - 1) != type.getDimSize(rank - 2)))
    return emitOptionalError(loc, what, " needs ", square ? "square matrices" : "matrices", ", but has ", type);
  return Matrices{Shape(type.getShape().drop_back(2)), type.getDimSize(rank - 2), type.getDimSize(rank - 1)};
}

LogicalResult CholeskyOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  // cholesky_c1
  if (failed(inferMatrices(loc, "cholesky", adaptor.getX(), /*square=*/true)))
    return failure();
  types.push_back(adaptor.getX().getType());
  return success();
}

LogicalResult LuOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                     SmallVectorImpl<Type> &types) {
  // lu_c1
  FailureOr<Matrices> x = inferMatrices(loc, "lu", adaptor.getX(), /*square=*/false);
  if (failed(x))
    return failure();
  types.push_back(adaptor.getX().getType());
  auto rows = inferPositions(loc, x->rows, tensorType(adaptor.getX()).clone(x->with(x->rows)));
  if (succeeded(rows))
    types.push_back(*rows);
  return rows;
}

LogicalResult QrOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                     SmallVectorImpl<Type> &types) {
  // qr_c1
  FailureOr<Matrices> x = inferMatrices(loc, "qr", adaptor.getX(), /*square=*/false);
  if (failed(x))
    return failure();
  RankedTensorType type = tensorType(adaptor.getX());
  types.push_back(type.clone(x->with({x->rows, x->smaller()})));
  types.push_back(type.clone(x->with({x->smaller(), x->columns})));
  return success();
}

LogicalResult GeqrfOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  // geqrf_c1
  FailureOr<Matrices> x = inferMatrices(loc, "geqrf", adaptor.getX(), /*square=*/false);
  if (failed(x))
    return failure();
  RankedTensorType type = tensorType(adaptor.getX());
  types.push_back(type);
  types.push_back(type.clone(x->with(x->smaller())));
  return success();
}

LogicalResult SvdOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  // svd_c1
  FailureOr<Matrices> x = inferMatrices(loc, "svd", adaptor.getX(), /*square=*/false);
  if (failed(x))
    return failure();
  RankedTensorType type = tensorType(adaptor.getX());
  types.push_back(type.clone(x->with(x->smaller())));
  types.push_back(type.clone(x->with({x->rows, x->smaller()})));
  types.push_back(type.clone(x->with({x->columns, x->smaller()})));
  return success();
}

LogicalResult EighOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  // eigh_c1
  FailureOr<Matrices> x = inferMatrices(loc, "eigh", adaptor.getX(), /*square=*/true);
  if (failed(x))
    return failure();
  RankedTensorType type = tensorType(adaptor.getX());
  types.push_back(type.clone(x->with(x->rows)));
  types.push_back(type);
  return success();
}

LogicalResult TriangularSolveOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                  SmallVectorImpl<Type> &types) {
  // triangular_solve_c1
  FailureOr<Matrices> a = inferMatrices(loc, "triangular_solve", adaptor.getA(), /*square=*/true);
  FailureOr<Matrices> b = inferMatrices(loc, "triangular_solve", adaptor.getB(), /*square=*/false);
  if (failed(a) || failed(b))
    return failure();
  if (a->batch != b->batch || a->rows != b->rows)
    return emitOptionalError(loc, "triangular_solve of ", adaptor.getA().getType(), " and ", adaptor.getB().getType(),
                             ": they need as many rows and the same batches");
  types.push_back(adaptor.getB().getType());
  return success();
}

} // namespace plumb::net
