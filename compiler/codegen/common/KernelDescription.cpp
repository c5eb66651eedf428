// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names follow the structure of the main operation, the one with the most work:
//
//   product_32x120x400        parallel extents, then the reduction's
//   conv_6x28x28x32_by_5x5x1  an input's index is a sum; conv_input when the output's is,
//                             conv_weights when the sliding window is the result
//   pool_max_…, sum_…, max_…  other reductions
//   map_add_maximum_32x120    elementwise, by its operations
//   copy_…, transpose_…, fill_…
//
// `_then_…` names the elementwise operations after a contraction or reduction.

#include "compiler/codegen/common/KernelDescription.h"

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/support/ReductionBodies.h"
#include "compiler/support/UsedValues.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace plumb;

/// How often the body runs.
static int64_t countIterations(linalg::LinalgOp op) {
  int64_t count = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    count *= ShapedType::isDynamic(extent) ? 1 : extent;
  return count;
}

/// The fraction of iterations in which `index` plus the sum of `steps` by loop is within [0, size).
static double getShareInside(int64_t index, ArrayRef<int64_t> steps, ArrayRef<int64_t> extents, int64_t size) {
  if (steps.empty())
    return index >= 0 && index < size;
  auto getShare = [&](int64_t index) { return getShareInside(index, steps.drop_front(), extents.drop_front(), size); };
  if (steps.front() == 0)
    return getShare(index);
  double sum = 0;
  for (int64_t i = 0; i < extents.front(); ++i)
    sum += getShare(index + i * steps.front());
  return sum / extents.front();
}

/// The fraction of the iterations of `op` in which `operand` is not a halo's padding. Each axis of an image depends on
/// loops of its own.
static double getShareInside(linalg::LinalgOp op, OpOperand &operand) {
  auto halo = operand.get().getDefiningOp<device::HaloOp>();
  if (!halo)
    return 1;
  double share = 1;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [coordinate, low, size] :
       llvm::zip_equal(map.getResults(), halo.getLow(), halo.getSource().getType().getShape())) {
    SmallVector<int64_t> flat;
    if (succeeded(getFlattenedAffineExpr(coordinate, map.getNumDims(), 0, &flat)) &&
        flat.size() == map.getNumDims() + 1)
      share *= getShareInside(flat.back() - low, ArrayRef(flat).drop_back(), op.getStaticLoopRanges(), size);
  }
  return share;
}

/// The number of multiply-adds, without those on a halo's zeros, which are not emitted.
static int64_t countProducts(linalg::LinalgOp op) {
  double count = countIterations(op);
  for (OpOperand &operand : op->getOpOperands())
    count *= getShareInside(op, operand);
  return std::llround(count);
}

/// Whether `op` sums products, of integers or of functions of its inputs, too.
static bool isSumOfProducts(linalg::LinalgOp op) { return op.getNumReductionLoops() != 0 && findMultiplyAdd(op); }

/// The two loops of the first result of `map` that is a sum over loops.
static std::optional<std::pair<unsigned, unsigned>> findSum(AffineMap map) {
  for (AffineExpr result : map.getResults()) {
    SmallVector<unsigned> loops;
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      if (result.isFunctionOfDim(loop))
        loops.push_back(loop);
    if (loops.size() > 1)
      return std::pair(loops[0], loops[1]);
  }
  return std::nullopt;
}

/// `conv`, `conv_input`, `conv_weights` or `product`. A sliding window is smaller than the extent that it slides over.
static std::string nameContraction(linalg::LinalgOp op) {
  if (findSum(op.getIndexingMapsArray().back()))
    return "conv_input";
  auto types = op.getIteratorTypesArray();
  auto extents = op.getStaticLoopRanges();
  for (AffineMap map : op.getIndexingMapsArray())
    if (auto loops = findSum(map)) {
      auto [position, window] = *loops;
      if (extents[position] < extents[window])
        std::swap(position, window);
      return types[window] == utils::IteratorType::parallel ? "conv_weights" : "conv";
    }
  return "product";
}

/// `addf` is "add", `maximumf` is "max".
static std::string nameOperation(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<arith::ArithDialect>(op->getDialect()) && !name.starts_with("cmp") && !name.contains("to"))
    name.consume_back("f");
  if (name == "maximum" || name == "maxnum")
    return "max";
  if (name == "minimum" || name == "minnum")
    return "min";
  return name.str();
}

/// `_add_max`: the operations of bodies; empty for copies.
static std::string nameBody(ArrayRef<linalg::LinalgOp> ops) {
  llvm::SetVector<StringRef> seen;
  std::string text;
  for (linalg::LinalgOp op : ops)
    for (Operation &inner : op.getBlock()->without_terminator()) {
      if (isa<arith::IndexCastOp, arith::ConstantOp, linalg::IndexOp>(inner))
        continue;
      if (!seen.insert(inner.getName().getStringRef()))
        continue;
      if (seen.size() == 4)
        return text + "_etc";
      text += "_" + nameOperation(&inner);
    }
  return text;
}

/// `pool_max`, `sum`, …
static std::string nameReduction(linalg::LinalgOp op) {
  Operation *combiner = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  std::string name = combiner ? nameOperation(combiner) : "reduce";
  bool isPooling = llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) { return findSum(map).has_value(); });
  return (isPooling ? "pool_" : "") + (name == "add" ? "sum" : name);
}

static std::string nameElementwise(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return "fill";
  std::string body = nameBody(op);
  if (!body.empty())
    return "map" + body;
  return llvm::all_equal(op.getIndexingMapsArray()) ? "copy" : "transpose";
}

/// `_32x120` of the loops of one type.
static std::string nameExtents(linalg::LinalgOp op, utils::IteratorType type, StringRef separator) {
  SmallVector<std::string> extents;
  for (auto [extent, loop] : llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (loop == type)
      extents.push_back(ShapedType::isDynamic(extent) ? "n" : std::to_string(extent));
  return extents.empty() ? "" : (separator + llvm::join(extents, "x")).str();
}

/// The weight that selects the main operation; of equal weights, the later operation wins.
static int64_t getWeight(linalg::LinalgOp op) {
  int64_t kind = isSumOfProducts(op) ? 2 : op.getNumReductionLoops() > 0 ? 1 : 0;
  return (kind << 56) + countIterations(op);
}

static std::string nameKernel(ArrayRef<linalg::LinalgOp> ops) {
  linalg::LinalgOp main = ops[0];
  for (linalg::LinalgOp op : ops)
    if (getWeight(op) >= getWeight(main))
      main = op;
  bool isProduct = isSumOfProducts(main), reduces = main.getNumReductionLoops();
  std::string name = isProduct ? nameContraction(main) : reduces ? nameReduction(main) : nameElementwise(main);
  name += nameExtents(main, utils::IteratorType::parallel, "_");
  name += nameExtents(main, utils::IteratorType::reduction, StringRef(name).starts_with("product_") ? "x" : "_by_");
  SmallVector<linalg::LinalgOp> others;
  llvm::copy_if(ops, std::back_inserter(others),
                [&](linalg::LinalgOp op) { return op != main && (reduces || op.getNumReductionLoops()); });
  std::string more = nameBody(others);
  return more.empty() ? name : name + "_then" + more;
}

/// Adds the bytes that `op` reads and writes. Buffers that the kernel itself has written do not count as read.
static void addBytes(linalg::LinalgOp op, llvm::DenseSet<Value> &read, llvm::DenseSet<Value> &written,
                     KernelDescription &result) {
  for (Value buffer : getCapturedBuffers(op))
    if (read.insert(getRoot(buffer)).second)
      result.bytesRead += getCapturedBytes(op, buffer);
  auto add = [](Value buffer, llvm::DenseSet<Value> &set, int64_t &bytes) {
    Value root = getRoot(buffer);
    auto type = dyn_cast<MemRefType>(buffer.getType());
    auto rootType = dyn_cast<MemRefType>(root.getType());
    // A halo has more elements than its source, a subview has fewer.
    if (type && type.hasStaticShape() && rootType.hasStaticShape() && set.insert(root).second)
      bytes += std::min(device::getByteSize(type), device::getByteSize(rootType));
  };
  for (OpOperand &operand : op->getOpOperands())
    if (op.payloadUsesValueFromOperand(&operand) && !written.contains(getRoot(operand.get())))
      add(operand.get(), read, result.bytesRead);
  for (OpOperand &operand : op.getDpsInitsMutable())
    add(operand.get(), written, result.bytesWritten);
}

/// "lenet.py:35" for a file location; empty for others.
static std::string describePosition(Location location) {
  auto position = dyn_cast<FileLineColLoc>(location);
  if (!position)
    return "";
  StringRef file = llvm::sys::path::filename(position.getFilename().getValue());
  return (file + ":" + Twine(position.getLine())).str();
}

/// The innermost location and the one that calls it, the caller first.
static std::string describeSource(Location location) {
  auto call = location->findInstanceOf<CallSiteLoc>();
  if (!call) {
    auto file = location->findInstanceOf<FileLineColLoc>();
    return file ? describePosition(file) : "";
  }
  Location caller = call.getCaller();
  if (auto outer = dyn_cast<CallSiteLoc>(caller))
    caller = outer.getCallee();
  std::string inner = describePosition(call.getCallee());
  std::string outer = describePosition(caller);
  return outer.empty() ? inner : outer + " " + inner;
}

int64_t plumb::getCapturedBytes(linalg::LinalgOp op, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto element = MemRefType::get({}, type.getElementType());
  return std::min(device::getByteSize(type), countIterations(op) * device::getByteSize(element));
}

KernelDescription plumb::describeKernel(func::FuncOp kernel) {
  KernelDescription result;
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  if (ops.empty())
    return result;
  llvm::DenseSet<Value> read, written;
  for (linalg::LinalgOp op : ops) {
    addBytes(op, read, written, result);
    if (isSumOfProducts(op))
      result.flops += 2 * countProducts(op);
  }
  result.name = nameKernel(ops);
  result.source = describeSource(kernel.getLoc());
  return result;
}
