// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From indexing maps and strided layouts to one number per operand and loop.

#include "compiler/codegen/cpu/analysis/LinearNest.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

IterationRange LinearBound::range(int64_t first, int64_t step, int64_t size) const {
  if (step < 0) {
    // The same range, counted from the last iteration.
    IterationRange back = range(first + step * (size - 1), -step, size);
    return {size - back.to, size - back.from};
  }
  if (step == 0)
    return {0, 0 <= first && first < extent ? size : 0};
  int64_t from = llvm::divideCeilSigned(-first, step);
  int64_t to = llvm::divideCeilSigned(extent - first, step);
  return {std::clamp<int64_t>(from, 0, size), std::clamp<int64_t>(to, 0, size)};
}

/// Coefficients of `expr` by loop, the constant last.
static FailureOr<SmallVector<int64_t>> flatten(AffineExpr expr, unsigned loops) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, loops, 0, &flat)) || flat.size() != loops + 1)
    return failure();
  return flat;
}

Value LinearNest::getBuffer(Value operand) {
  auto halo = operand.getDefiningOp<device::HaloOp>();
  return halo ? halo.getSource() : operand;
}

/// Adds the access of one operand; fails where its layout is not static.
LogicalResult LinearNest::addOperand(OpOperand &operand, AffineMap map) {
  LinearAccess access;
  access.strides.assign(loops(), 0);
  auto memref = dyn_cast<MemRefType>(operand.get().getType());
  if (!memref) {
    accesses.push_back(access);
    return success();
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref.hasStaticShape() || failed(memref.getStridesAndOffset(strides, offset)) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return failure();
  auto halo = operand.get().getDefiningOp<device::HaloOp>();
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    FailureOr<SmallVector<int64_t>> flat = flatten(expr, loops());
    if (failed(flat))
      return failure();
    for (unsigned loop = 0; loop < loops(); ++loop)
      access.strides[loop] += strides[axis] * (*flat)[loop];
    int64_t start = flat->back() - (halo ? halo.getLow()[axis] : 0);
    access.offset += strides[axis] * start;
    if (!halo)
      continue;
    int64_t extent = halo.getSource().getType().getDimSize(axis);
    if (failed(addBound(ArrayRef(*flat).drop_back(), start, extent)))
      return failure();
  }
  accesses.push_back(access);
  return success();
}

/// Adds the bound 0 ≤ start + Σ steps · index < `extent`, unless it always holds. Fails where more than one parallel or
/// more than one reduction loop takes part.
LogicalResult LinearNest::addBound(ArrayRef<int64_t> steps, int64_t start, int64_t extent) {
  int64_t least = start, most = start;
  std::optional<unsigned> parallel, reduction;
  for (auto [loop, step] : llvm::enumerate(steps)) {
    if (step == 0)
      continue;
    (step < 0 ? least : most) += step * (sizes[loop] - 1);
    std::optional<unsigned> &index = isParallel(loop) ? parallel : reduction;
    if (index && sizes[*index] > 1 && sizes[loop] > 1)
      return failure();
    if (!index || sizes[*index] == 1)
      index = loop;
  }
  if (least >= 0 && most < extent)
    return success();
  if (!parallel || !reduction || findBound(*parallel) || findBound(*reduction))
    return failure();
  bounds.push_back({*parallel, *reduction, steps[*parallel], steps[*reduction], start, extent});
  return success();
}

/// Restricts `loop` to the iterations [from, to).
void LinearNest::restrictLoop(unsigned loop, IterationRange range) {
  for (LinearAccess &access : accesses)
    access.offset += range.from * access.strides[loop];
  for (LinearBound &bound : bounds)
    if (bound.reduction == loop)
      bound.start += range.from * bound.reductionStep;
  sizes[loop] = range.to - range.from;
}

/// Restricts reductions to the iterations that exist for some parallel index, and drops bounds that always hold then.
/// Fails where no iteration exists.
LogicalResult LinearNest::resolveBounds() {
  for (LinearBound &bound : bounds) {
    IterationRange any{sizes[bound.reduction], 0};
    for (int64_t index : {int64_t(0), sizes[bound.parallel] - 1}) {
      IterationRange range = bound.reductionRange(index, sizes[bound.reduction]);
      if (range.from < range.to)
        any = {std::min(any.from, range.from), std::max(any.to, range.to)};
      else if (sizes[bound.parallel] > 1)
        any = {0, sizes[bound.reduction]};
    }
    if (any.from >= any.to)
      return failure();
    restrictLoop(bound.reduction, any);
  }
  llvm::erase_if(bounds, [&](const LinearBound &bound) {
    int64_t last = sizes[bound.parallel] - 1, size = sizes[bound.reduction];
    return bound.contains(0, 0) && bound.contains(0, size - 1) && bound.contains(last, 0) &&
           bound.contains(last, size - 1);
  });
  return success();
}

FailureOr<LinearNest> LinearNest::read(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.hasDynamicShape())
    return failure();
  LinearNest nest;
  nest.sizes = op.getStaticLoopRanges();
  nest.kinds = op.getIteratorTypesArray();
  if (llvm::any_of(nest.sizes, ShapedType::isDynamic) || llvm::is_contained(nest.sizes, 0))
    return failure();
  for (OpOperand &operand : op->getOpOperands())
    if (failed(nest.addOperand(operand, op.getMatchingIndexingMap(&operand))))
      return failure();
  if (nest.scatters(op.getNumDpsInputs()) || failed(nest.resolveBounds()))
    return failure();
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

FailureOr<LinearNest> LinearNest::skew(const LoopSkew &skew) const {
  auto [parallel, reduction, ratio] = skew;
  LinearNest skewed = *this;
  int64_t size = sizes[reduction];
  // From the first tap's first position to the last tap's last one.
  skewed.sizes[reduction] = size + ratio * (sizes[parallel] - 1);
  for (LinearAccess &access : skewed.accesses)
    access.strides[parallel] -= ratio * access.strides[reduction];
  IterationRange exists{0, skewed.sizes[reduction]};
  if (const LinearBound *bound = findBound(reduction)) {
    if (bound->parallel != parallel || bound->parallelStep != ratio * bound->reductionStep)
      return failure();
    exists = bound->reductionRange(0, exists.to);
    llvm::erase_if(skewed.bounds, [&](const LinearBound &other) { return other.reduction == skew.reduction; });
  }
  if (skewed.findBound(parallel) || exists.from >= exists.to)
    return failure();
  skewed.bounds.push_back({parallel, reduction, -ratio, 1, 0, size});
  skewed.restrictLoop(reduction, exists);
  return skewed;
}

const LinearBound *LinearNest::findBound(unsigned loop) const {
  for (const LinearBound &bound : bounds)
    if (bound.parallel == loop || bound.reduction == loop)
      return &bound;
  return nullptr;
}

const PoolingWindow *LinearNest::findWindow(unsigned loop) const {
  for (const PoolingWindow &window : windows)
    if (window.loop == loop)
      return &window;
  return nullptr;
}

/// Whether a reduction loop moves some output, which is then no accumulator.
bool LinearNest::scatters(unsigned inputs) const {
  for (const LinearAccess &access : ArrayRef(accesses).drop_front(inputs))
    for (unsigned loop = 0; loop < loops(); ++loop)
      if (!isParallel(loop) && sizes[loop] > 1 && access.strides[loop] != 0)
        return true;
  return false;
}

void LinearNest::eraseLoop(unsigned loop) {
  for (LinearBound &bound : bounds) {
    bound.parallel -= bound.parallel > loop;
    bound.reduction -= bound.reduction > loop;
  }
  for (PoolingWindow &window : windows)
    window.loop -= window.loop > loop;
  sizes.erase(sizes.begin() + loop);
  kinds.erase(kinds.begin() + loop);
  for (LinearAccess &access : accesses)
    access.strides.erase(access.strides.begin() + loop);
}

/// Loops of bounds stay, since a reduction of one iteration may have no iteration at some parallel index.
void LinearNest::dropUnitLoops() {
  for (unsigned loop = loops(); loop-- > 0;)
    if (sizes[loop] == 1 && !findBound(loop))
      eraseLoop(loop);
}

/// Whether some operand accesses the same elements again when a parallel loop steps forward and the reduction `loop`
/// steps back, which skew() makes use of.
bool LinearNest::canSkew(unsigned loop) const {
  if (isParallel(loop))
    return false;
  for (const LinearAccess &access : accesses)
    for (unsigned parallel = 0; parallel < loops(); ++parallel) {
      int64_t step = access.strides[loop], tap = access.strides[parallel];
      if (isParallel(parallel) && step != 0 && tap != 0 && tap % step == 0 && tap / step > 0 &&
          tap / step < sizes[loop])
        return true;
    }
  return false;
}

/// Two loops can be fused where, for each operand, the outer stride is the inner stride times the inner size.
bool LinearNest::canFuse(unsigned outer, unsigned inner) const {
  return kinds[outer] == kinds[inner] && !findBound(outer) && !canSkew(outer) && !findBound(inner) &&
         !findWindow(outer) && !findWindow(inner) && llvm::all_of(accesses, [&](const LinearAccess &access) {
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

bool LinearNest::isInjective(unsigned operand) const {
  int64_t reach = 1;
  SmallVector<std::pair<int64_t, int64_t>> steps;
  for (unsigned each = 0; each < loops(); ++each)
    if (int64_t stride = accesses[operand].strides[each]) {
      if (findBound(each))
        return false;
      steps.push_back({stride, sizes[each]});
    }
  llvm::sort(steps);
  for (auto [stride, size] : steps) {
    if (stride < reach)
      return false;
    reach = stride * size;
  }
  return true;
}

int64_t plumb::getSpan(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, span = 1;
  (void)type.getStridesAndOffset(strides, offset);
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    span += (size - 1) * stride;
  return span;
}
