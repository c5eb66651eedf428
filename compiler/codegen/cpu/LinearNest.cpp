// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From indexing maps and strided layouts to one number per operand and loop.

#include "compiler/codegen/cpu/LinearNest.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace plumb;

/// Adds `stride` times the affine expression to `access`.
static LogicalResult addExpression(AffineExpr expr, unsigned loops,
                                   int64_t stride, LinearAccess &access) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, loops, 0, &flat)) ||
      flat.size() != loops + 1)
    return failure();
  for (unsigned loop = 0; loop < loops; ++loop)
    access.strides[loop] += stride * flat[loop];
  access.offset += stride * flat[loops];
  return success();
}

/// The walk of one operand, or failure where its layout is not static.
static FailureOr<LinearAccess> getAccess(Type type, AffineMap map) {
  LinearAccess access;
  access.strides.assign(map.getNumDims(), 0);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return access;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref.hasStaticShape() ||
      failed(memref.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return failure();
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    if (failed(addExpression(expr, map.getNumDims(), stride, access)))
      return failure();
  return access;
}

FailureOr<LinearNest> LinearNest::read(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.hasDynamicShape())
    return failure();
  LinearNest nest;
  nest.sizes = op.getStaticLoopRanges();
  nest.kinds = op.getIteratorTypesArray();
  if (llvm::any_of(nest.sizes, ShapedType::isDynamic) ||
      llvm::is_contained(nest.sizes, 0))
    return failure();
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<LinearAccess> access =
        getAccess(operand.get().getType(), op.getMatchingIndexingMap(&operand));
    if (failed(access))
      return failure();
    nest.accesses.push_back(*access);
  }
  nest.gatherOutputs(op);
  return nest;
}

FailureOr<LinearNest> LinearNest::get(linalg::LinalgOp op) {
  FailureOr<LinearNest> nest = read(op);
  if (succeeded(nest) && !op.hasIndexSemantics())
    nest->simplify();
  return nest;
}

void LinearNest::simplify() {
  dropUnitLoops();
  fuseLoops();
}

const LinearBound *LinearNest::findBound(unsigned loop) const {
  for (const LinearBound &bound : bounds)
    if (bound.parallel == loop || bound.reduction == loop)
      return &bound;
  return nullptr;
}

const LinearWindow *LinearNest::findWindow(unsigned loop) const {
  for (const LinearWindow &window : windows)
    if (window.loop == loop)
      return &window;
  return nullptr;
}

/// Turns loops that walk the only output together into a parallel loop over
/// what they reach and a reduction over what meets there.
void LinearNest::gatherOutputs(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.hasIndexSemantics())
    return;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr expr : map.getResults()) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!sum || sum.getKind() != AffineExprKind::Add)
      continue;
    auto first = dyn_cast<AffineDimExpr>(sum.getLHS());
    auto second = dyn_cast<AffineDimExpr>(sum.getRHS());
    if (!first || !second)
      continue;
    unsigned far = first.getPosition(), near = second.getPosition();
    if (sizes[far] < sizes[near])
      std::swap(far, near);
    if (findBound(far) || findBound(near))
      continue;
    bounds.push_back({far, near, sizes[far]});
    sizes[far] += sizes[near] - 1;
    kinds[far] = utils::IteratorType::parallel;
    kinds[near] = utils::IteratorType::reduction;
    for (LinearAccess &access : accesses)
      access.strides[near] -= access.strides[far];
  }
}

void LinearNest::eraseLoop(unsigned loop) {
  for (LinearBound &bound : bounds) {
    bound.parallel -= bound.parallel > loop;
    bound.reduction -= bound.reduction > loop;
  }
  for (LinearWindow &window : windows)
    window.loop -= window.loop > loop;
  sizes.erase(sizes.begin() + loop);
  kinds.erase(kinds.begin() + loop);
  for (LinearAccess &access : accesses)
    access.strides.erase(access.strides.begin() + loop);
}

void LinearNest::dropUnitLoops() {
  llvm::erase_if(bounds, [&](const LinearBound &bound) {
    return sizes[bound.reduction] == 1;
  });
  for (unsigned loop = loops(); loop-- > 0;)
    if (sizes[loop] == 1)
      eraseLoop(loop);
}

/// Two loops are one when each operand's outer step is a whole inner walk.
bool LinearNest::canFuse(unsigned outer, unsigned inner) const {
  return kinds[outer] == kinds[inner] && !findBound(outer) &&
         !findBound(inner) && !findWindow(outer) && !findWindow(inner) &&
         llvm::all_of(accesses, [&](const LinearAccess &access) {
           return access.strides[outer] == access.strides[inner] * sizes[inner];
         });
}

void LinearNest::fuseLoops() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned outer = 0; outer < loops() && !changed; ++outer)
      for (unsigned inner = 0; inner < loops() && !changed; ++inner) {
        if (outer == inner || !canFuse(outer, inner))
          continue;
        sizes[inner] *= sizes[outer];
        eraseLoop(outer);
        changed = true;
      }
  }
}
