// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of linear algebra. Inverses of triangular matrices are systems. The formulas are those of Giles ("An
// extended collection of matrix derivative results", 2008), Murray ("Differentiation of the Cholesky decomposition",
// 2016) and Walter and Lehmann ("Algorithmic differentiation of linear algebra functions", 2010).

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetLinalgOps.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

namespace {

/// Words for matrices.
struct Matrices {
  AdjointBuilder &n;

  Value transpose(Value x) {
    int64_t rank = tensorType(x).getRank();
    Shape perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(perm[rank - 1], perm[rank - 2]);
    return n.transpose(x, perm);
  }
  /// The product, with transposes of factors.
  Value product(Value a, Value b) { return n.matmul(a, b, false, false); }
  Value productLeft(Value a, Value b) { return n.matmul(a, b, /*transposeA=*/true, false); }
  Value productRight(Value a, Value b) { return n.matmul(a, b, false, /*transposeB=*/true); }
  /// Elements where `Compare` holds for (row, column); zero elsewhere.
  template <typename Compare> Value where(Value x) {
    Shape shape(tensorType(x).getShape().take_back(2));
    Value row = IotaOp::create(n, shape, 0, n.getI32Type()), column = IotaOp::create(n, shape, 1, n.getI32Type());
    return n.maskedBy(Compare::create(n, row, column), x);
  }
  Value lower(Value x) { return where<GreaterEqualOp>(x); }
  Value strictlyLower(Value x) { return where<GreaterOp>(x); }
  Value upper(Value x) { return where<LessEqualOp>(x); }
  Value diagonal(Value x) { return where<EqualOp>(x); }
  Value symmetric(Value x) { return n.mul(n.add(x, transpose(x)), 0.5); }

  Value solve(Value a, Value b, bool isLower, bool transposed, bool hasUnitDiagonal = false) {
    return TriangularSolveOp::create(n, a, b, isLower, transposed, hasUnitDiagonal);
  }
  /// x a⁻ᵀ of an upper triangular a.
  Value divideByTransposedUpper(Value x, Value a) {
    return transpose(solve(a, transpose(x), /*isLower=*/false, /*transposed=*/false));
  }
};

} // namespace

LogicalResult CholeskyOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Matrices m{n};
    Value l = getResult(), inner = m.productLeft(l, dy);
    Value phi = n.sub(m.lower(inner), n.mul(m.diagonal(inner), 0.5));
    // L⁻ᵀ Φ L⁻¹, the right factor by the transposed system.
    Value left = m.solve(l, phi, /*isLower=*/true, /*transposed=*/true);
    Value both = m.transpose(m.solve(l, m.transpose(left), /*isLower=*/true, /*transposed=*/true));
    return m.symmetric(both);
  });
}

LogicalResult TriangularSolveOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    Matrices m{n};
    Value db = m.solve(getA(), dy, getLower(), !getTranspose(), getUnit());
    Value product = n.neg(getTranspose() ? m.productRight(getResult(), db) : m.productRight(db, getResult()));
    if (getUnit())
      out[0] = getLower() ? m.strictlyLower(product) : m.where<LessOp>(product);
    else
      out[0] = getLower() ? m.lower(product) : m.upper(product);
    out[1] = db;
  });
}

LogicalResult LuOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  RankedTensorType type = tensorType(getX());
  int64_t rank = type.getRank();
  if (type.getDimSize(rank - 1) != type.getDimSize(rank - 2))
    return emitOpError() << "of matrices that are not square has no adjoint: " << type;
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    Matrices m{n};
    Value factors = getFactors();
    Value ones = m.diagonal(n.broadcast(n.scalar(factors, 1), type.getShape()));
    Value l = n.add(m.strictlyLower(factors), ones), u = m.upper(factors);
    // x[rows] has L⁻ᵀ M U⁻ᵀ.
    Value inner =
        n.add(m.strictlyLower(m.productLeft(l, m.strictlyLower(dy))), m.upper(m.productRight(m.upper(dy), u)));
    Value left = m.solve(l, inner, /*isLower=*/true, /*transposed=*/true, /*unit=*/true);
    Value exchanged = m.divideByTransposedUpper(left, u);
    return GatherGradOp::create(n, exchanged, getRows(), type.getShape(), rank - 2, /*wrap=*/false, /*batch=*/rank - 2);
  });
}

/// An adjoint, or zeros where none is due.
static Value orZeros(AdjointBuilder &n, Value dy, Value result) {
  return dy ? dy : n.broadcast(n.scalar(result, 0), tensorType(result).getShape());
}

LogicalResult QrOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  RankedTensorType type = tensorType(getX());
  adjoints.assign(1, Value());
  if (!dys[0] && !dys[1])
    return success();
  if (type.getDimSize(type.getRank() - 2) < type.getDimSize(type.getRank() - 1))
    return emitOpError() << "of matrices with more columns than rows has no adjoint: " << type;
  AdjointBuilder n(getLoc(), b);
  Matrices m{n};
  Value dq = orZeros(n, dys[0], getQ()), dr = orZeros(n, dys[1], getR());
  // M = R dRᵀ − dQᵀ Q; the adjoint is (dQ + Q S) R⁻ᵀ with S = M's lower triangle mirrored.
  Value inner = n.sub(m.productRight(getR(), dr), m.productLeft(dq, getQ()));
  Value mirrored = n.add(m.lower(inner), m.transpose(m.strictlyLower(inner)));
  adjoints[0] = m.divideByTransposedUpper(n.add(dq, m.product(getQ(), mirrored)), getR());
  return success();
}

/// The adjoint with u, s and v of full rank: u (E ∘ skew(uᵀ du)) s vᵀ and its mirror for v, with E = 1 / (s_j² − s_i²),
/// and what leaves the columns' spaces where a matrix is not square (Townsend, "Differentiating the singular value
/// decomposition", 2016).
LogicalResult SvdOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  adjoints.assign(1, Value());
  if (llvm::none_of(dys, [](Value dy) { return !!dy; }))
    return success();
  AdjointBuilder n(getLoc(), b);
  Matrices m{n};
  Value u = getU(), v = getV();
  Shape across(tensorType(getS()).getShape()), along = across;
  across.push_back(1);
  along.insert(along.end() - 1, 1);
  Shape square(tensorType(getS()).getShape());
  square.push_back(square.back());
  Value rows = n.broadcast(n.reshape(getS(), across), square), columns = n.broadcast(n.reshape(getS(), along), square);
  Value inner, outer;
  auto addTo = [&](Value &sum, Value term) { sum = sum ? n.add(sum, term) : term; };
  if (Value ds = dys[0])
    addTo(inner, m.diagonal(n.broadcast(n.reshape(ds, across), square)));
  if (dys[1] || dys[2]) {
    Value ones = m.diagonal(n.broadcast(n.scalar(u, 1), square));
    Value distance = n.add(n.mul(n.sub(columns, rows), n.add(columns, rows)), ones);
    auto skew = [&](Value vectors, Value dy) {
      Value product = m.productLeft(vectors, dy);
      return n.div(n.sub(product, m.transpose(product)), distance);
    };
    if (dys[1])
      addTo(inner, n.mul(skew(u, dys[1]), columns));
    if (dys[2])
      addTo(inner, n.mul(rows, skew(v, dys[2])));
  }
  // (1 − u uᵀ) du s⁻¹ vᵀ, and its mirror.
  auto leaves = [&](Value vectors, Value dy) {
    Shape line(tensorType(dy).getShape());
    Value rest = n.sub(dy, m.product(vectors, m.productLeft(vectors, dy)));
    return n.div(rest, n.broadcast(n.reshape(getS(), along), line));
  };
  int64_t rank = tensorType(u).getRank(), count = square.back();
  if (dys[1] && tensorType(u).getDimSize(rank - 2) > count)
    addTo(outer, m.productRight(leaves(u, dys[1]), v));
  if (dys[2] && tensorType(v).getDimSize(rank - 2) > count)
    addTo(outer, m.productRight(u, leaves(v, dys[2])));
  Value result = m.productRight(m.product(u, inner), v);
  adjoints[0] = outer ? n.add(result, outer) : result;
  return success();
}

LogicalResult EighOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  adjoints.assign(1, Value());
  if (!dys[0] && !dys[1])
    return success();
  AdjointBuilder n(getLoc(), b);
  Matrices m{n};
  RankedTensorType type = tensorType(getX());
  Shape across(tensorType(getW()).getShape());
  across.push_back(1);
  Value inner;
  if (Value dw = dys[0])
    inner = m.diagonal(n.broadcast(n.reshape(dw, across), type.getShape()));
  if (Value dv = dys[1]) {
    // Vᵀ dV, each element divided by the difference of its eigenvalues.
    Value w = n.broadcast(n.reshape(getW(), across), type.getShape());
    Value turned = m.productLeft(getV(), dv), distance = n.sub(m.transpose(w), w);
    Value rest = n.sub(turned, m.diagonal(turned));
    Value ones = m.diagonal(n.broadcast(n.scalar(w, 1), type.getShape()));
    Value shares = n.div(rest, n.add(distance, ones));
    inner = inner ? n.add(inner, shares) : shares;
  }
  adjoints[0] = m.symmetric(m.productRight(m.product(getV(), inner), getV()));
  return success();
}

} // namespace plumb::net
