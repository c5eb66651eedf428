// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear algebra: factorisations of matrices, and systems with triangular ones. The last two axes are rows and columns, axes
// before them are batches.

#ifndef PLUMB_NET_LINALG_OPS_TD
#define PLUMB_NET_LINALG_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_RealTensor : Types_TensorOf<[F32, F64]>;

// A factorisation of one matrix, or of each of a batch.
class Net_FactorOp<string mnemonic> : Net_Primitive<mnemonic, "x", [InferTypeOpAdaptor, Differentiable]> {
  let arguments = (ins Net_RealTensor:$x);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Net_CholeskyOp : Net_FactorOp<"cholesky"> {
  let summary = "factors a symmetric positive definite matrix";
  let description = [{
    The lower triangular L with positive diagonal and L Lᵀ = x, of which only the lower triangle is read. NaN where x is not
    positive definite. The adjoint is symmetric, as x is: L⁻ᵀ Φ(Lᵀ dL) L⁻¹ with Φ the lower triangle, its diagonal halved,
    averaged with its transpose (Murray, "Differentiation of the Cholesky decomposition", 2016).

    Constraints:
    * (cholesky_c1) x is square.

    Example:
    ```mlir
    %l = net.cholesky %x : (tensor<3x3xf32>) -> tensor<3x3xf32>
    ```
  }];
  let results = (outs Net_RealTensor:$result);
}

def Net_LuOp : Net_FactorOp<"lu"> {
  let summary = "factors a matrix into triangular ones";
  let description = [{
    x[rows] = L U with the rows exchanged so that the largest element of each column's rest is the pivot. The first result
    holds U, and below its diagonal L, whose diagonal is one; the second is `rows`, as i32. The adjoint is that of square
    matrices.

    Constraints:
    * (lu_c1) x has two axes at least.

    Example:
    ```mlir
    %lu, %rows = net.lu %x : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xi32>)
    ```
  }];
  let results = (outs Net_RealTensor:$factors, Net_IndexTensor:$rows);
}

def Net_QrOp : Net_FactorOp<"qr"> {
  let summary = "factors a matrix into an orthogonal and a triangular one";
  let description = [{
    x = q r with the columns of q orthonormal and r upper triangular, by Householder's reflections: q is m × k and r is k × n
    for x of m × n and k the smaller. The adjoint is that of matrices with at least as many rows as columns.

    Constraints:
    * (qr_c1) x has two axes at least.

    Example:
    ```mlir
    %q, %r = net.qr %x : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>)
    ```
  }];
  let results = (outs Net_RealTensor:$q, Net_RealTensor:$r);
}

def Net_GeqrfOp : Net_Primitive<"geqrf", "x", [InferTypeOpAdaptor]> {
  let summary = "factors a matrix into Householder's reflections and a triangular one";
  let description = [{
    LAPACK's form of `net.qr`: the first result holds r, and below its diagonal the vectors v of the reflections
    1 − τ v vᵀ, whose first element, one, is left out; q is their product. The second holds the τ. It has no adjoint.

    Constraints:
    * (geqrf_c1) x has two axes at least.

    Example:
    ```mlir
    %factors, %tau = net.geqrf %x : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
    ```
  }];
  let arguments = (ins Net_RealTensor:$x);
  let results = (outs Net_RealTensor:$factors, Net_RealTensor:$tau);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Net_SvdOp : Net_FactorOp<"svd"> {
  let summary = "finds singular values and vectors";
  let description = [{
    x = u diag(s) vᵀ with s descending and not negative, and the columns of u and v orthonormal: u is m × k, v is n × k for x of
    m × n and k the smaller. By a QR factorisation with column pivoting and Jacobi's rotations from one side (Drmač and Veselić,
    "New fast and accurate Jacobi SVD algorithm", 2008). The sign of each pair of columns is that which makes the largest
    element of v's positive. The adjoint is infinite where singular values are equal, or zero, and u or v is used.

    Constraints:
    * (svd_c1) x has two axes at least.

    Example:
    ```mlir
    %s, %u, %v = net.svd %x : (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>)
    ```
  }];
  let results = (outs Net_RealTensor:$s, Net_RealTensor:$u, Net_RealTensor:$v);
}

def Net_EighOp : Net_FactorOp<"eigh"> {
  let summary = "finds eigenvalues and eigenvectors of a symmetric matrix";
  let description = [{
    x v = v diag(w), with w ascending and the columns of v orthonormal, by tridiagonal form and QL steps. Only the lower
    triangle of x is read. The sign of each column is that which makes its largest element positive. The adjoint is infinite where
    eigenvalues are equal and v is used.

    Constraints:
    * (eigh_c1) x is square.

    Example:
    ```mlir
    %w, %v = net.eigh %x : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3x3xf32>)
    ```
  }];
  let results = (outs Net_RealTensor:$w, Net_RealTensor:$v);
}

def Net_TriangularSolveOp : Net_Primitive<"triangular_solve",
    "a, b, lower: bool = True, transpose: bool = False, unit: bool = False", [
    SameOperandsElementType, InferTypeOpAdaptor, Differentiable]> {
  let summary = "solves systems with a triangular matrix";
  let description = [{
    The x with a x = b, or aᵀ x = b if `transpose`, where a is lower triangular, or upper; the other triangle is not read,
    and neither is the diagonal if `unit`, which takes it for one. Where the diagonal is zero, x is infinite or NaN.

    Constraints:
    * (triangular_solve_c1) a is square, b has as many rows and the same batches.

    Example:
    ```mlir
    %x = net.triangular_solve %a, %b {transpose = true} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Net_RealTensor:$a, Net_RealTensor:$b, DefaultValuedAttr<BoolAttr, "true">:$lower,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose, DefaultValuedAttr<BoolAttr, "false">:$unit);
  let results = (outs Net_RealTensor:$result);
  let assemblyFormat = "$a `,` $b attr-dict `:` functional-type(operands, results)";
}

#endif // PLUMB_NET_LINALG_OPS_TD
