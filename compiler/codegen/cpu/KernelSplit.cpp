// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of buffers, the rules of the header, and the function of one grain. A
// part is the same buffer with fewer elements, so an operation on it needs no
// offsets: whoever calls the function moves the addresses.

#include "compiler/codegen/cpu/KernelSplit.h"

#include "compiler/codegen/common/Places.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

namespace {

/// What one grain sees of an operand.
struct Part {
  Type type;
  int64_t step = 0;
  /// Whether the loop alone moves along the dimension that is cut.
  bool isOwn = false;

  bool operator==(const Part &other) const {
    return type == other.type && step == other.step;
  }
};

} // namespace

/// The argument of the kernel that `value` is, or is another shape or a halo of; or
/// null.
static BlockArgument getArgumentOf(Value value) {
  if (auto halo = value.getDefiningOp<device::HaloOp>())
    value = halo.getSource();
  return dyn_cast<BlockArgument>(getReshaped(value));
}

/// Whether `value` is a halo with elements around dimension `dim`.
static bool isPadded(Value value, unsigned dim) {
  auto halo = value.getDefiningOp<device::HaloOp>();
  return halo && (halo.getLow()[dim] != 0 || halo.getHigh()[dim] != 0);
}

/// What a part of the halo `value` is a halo of: the halo's own type has the same
/// strides, and the same sizes where nothing is around.
static Type getSourceType(Value value, Type part) {
  auto halo = value.getDefiningOp<device::HaloOp>();
  if (!halo)
    return part;
  auto source = cast<MemRefType>(halo.getSource().getType());
  auto padded = cast<MemRefType>(value.getType()), cut = cast<MemRefType>(part);
  if (padded == cut)
    return source;
  SmallVector<int64_t> shape(source.getShape());
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    shape[dim] -= padded.getDimSize(dim) - cut.getDimSize(dim);
  return MemRefType::get(shape, source.getElementType(), cut.getLayout(),
                         source.getMemorySpace());
}

/// How far each result of `map` moves when `loop` takes a step.
static FailureOr<SmallVector<int64_t>> getCoefficients(AffineMap map,
                                                       unsigned loop) {
  SmallVector<int64_t> coefficients;
  for (AffineExpr expr : map.getResults()) {
    SmallVector<int64_t> flat;
    if (failed(getFlattenedAffineExpr(expr, map.getNumDims(), 0, &flat)) ||
        flat.size() != map.getNumDims() + 1 || flat[loop] < 0)
      return failure();
    coefficients.push_back(flat[loop]);
  }
  return coefficients;
}

/// The part of `operand` for a grain of `1 / grains` of `loop`.
static FailureOr<Part> getPart(linalg::LinalgOp op, OpOperand &operand,
                               unsigned loop, int64_t grains) {
  Part part;
  part.type = operand.get().getType();
  auto type = dyn_cast<MemRefType>(part.type);
  if (!type)
    return part;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto coefficients = getCoefficients(map, loop);
  SmallVector<int64_t> strides, shape(type.getShape());
  int64_t offset;
  if (failed(coefficients) || failed(type.getStridesAndOffset(strides, offset)))
    return failure();
  int64_t size = op.getStaticLoopRanges()[loop], length = size / grains;
  int64_t bytes = device::getByteSize(MemRefType::get({}, type.getElementType()));
  unsigned moving = 0;
  for (auto [dim, coefficient] : llvm::enumerate(*coefficients)) {
    if (coefficient == 0)
      continue;
    if (isPadded(operand.get(), dim))
      return failure();
    // What lies before a grain's first element, or behind its last, is not its.
    shape[dim] -= coefficient * (size - length);
    part.step += coefficient * length * strides[dim] * bytes;
    part.isOwn = ++moving == 1 && isa<AffineDimExpr>(map.getResult(dim));
  }
  if (moving == 0)
    return part;
  auto layout = StridedLayoutAttr::get(op.getContext(), offset, strides);
  part.type = MemRefType::get(shape, type.getElementType(), layout,
                              type.getMemorySpace());
  return part;
}

/// Whether `op` may be cut along `loop` into `grains` equal ranges.
static bool canCut(linalg::LinalgOp op, unsigned loop, int64_t grains) {
  if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel ||
      op.getStaticLoopRanges()[loop] % grains != 0)
    return false;
  WalkResult asks = op->walk([&](linalg::IndexOp index) {
    return index.getDim() == loop ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  return !asks.wasInterrupted();
}

/// The loop of `op` that walks a buffer's dimension as `other` does with `loop`
/// where both touch that buffer; failure where they have none in common.
static FailureOr<unsigned> followLoop(linalg::LinalgOp op,
                                      linalg::LinalgOp other, unsigned loop) {
  for (OpOperand &theirs : other->getOpOperands())
    for (OpOperand &ours : op->getOpOperands()) {
      if (ours.get() != theirs.get() || !isa<MemRefType>(ours.get().getType()) ||
          (!op.isDpsInit(&ours) && !other.isDpsInit(&theirs)))
        continue;
      AffineMap from = other.getMatchingIndexingMap(&theirs);
      AffineMap to = op.getMatchingIndexingMap(&ours);
      auto dim = from.getResultPosition(
          getAffineDimExpr(loop, op.getContext()));
      if (!dim)
        return failure();
      auto found = dyn_cast<AffineDimExpr>(to.getResult(*dim));
      if (!found)
        return failure();
      return found.getPosition();
    }
  return failure();
}

/// Finds the loop of every operation, from `main` outwards. One that touches
/// nothing of the others is cut along any loop that is long enough.
static FailureOr<KernelSplit> findLoops(LinalgOps ops, unsigned main,
                                        unsigned loop, int64_t grains) {
  SmallVector<std::optional<unsigned>> loops(ops.size());
  loops[main] = loop;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned known = 0; known < ops.size(); ++known)
      for (unsigned next = 0; loops[known] && next < ops.size(); ++next) {
        if (loops[next])
          continue;
        auto found = followLoop(ops[next], ops[known], *loops[known]);
        if (failed(found))
          continue;
        loops[next] = *found;
        changed = true;
      }
  }
  KernelSplit split;
  split.grains = grains;
  for (auto [number, known] : llvm::enumerate(loops)) {
    linalg::LinalgOp op = ops[number];
    for (unsigned any = 0; !known && any < op.getNumLoops(); ++any)
      if (canCut(op, any, grains))
        known = any;
    if (!known || !canCut(op, *known, grains))
      return failure();
    split.loops.push_back(*known);
  }
  return split;
}

/// Checks the rules on what is written.
static bool isLegal(LinalgOps ops, const KernelSplit &split,
                    AreApart areApart) {
  llvm::MapVector<Value, Part> written;
  for (auto [number, loop] : llvm::enumerate(split.loops)) {
    linalg::LinalgOp op = ops[number];
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      auto part = getPart(op, operand, loop, split.grains);
      if (failed(part) || !part->isOwn || !getArgumentOf(operand.get()))
        return false;
      written.insert({operand.get(), *part});
    }
  }
  for (auto [number, loop] : llvm::enumerate(split.loops)) {
    linalg::LinalgOp op = ops[number];
    for (OpOperand &operand : op->getOpOperands()) {
      auto part = getPart(op, operand, loop, split.grains);
      if (failed(part))
        return false;
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      BlockArgument argument = getArgumentOf(operand.get());
      if (!argument)
        return false;
      for (auto &[buffer, whole] : written) {
        bool isSame = buffer == operand.get();
        if (isSame ? !(*part == whole)
                   : !areApart(getArgumentOf(buffer).getArgNumber(),
                               argument.getArgNumber()))
          return false;
      }
    }
  }
  return true;
}

FailureOr<KernelSplit> plumb::splitAlong(LinalgOps ops, unsigned main,
                                         unsigned loop, int64_t grains,
                                         AreApart areApart) {
  if (!canCut(ops[main], loop, grains))
    return failure();
  FailureOr<KernelSplit> split = findLoops(ops, main, loop, grains);
  if (failed(split) || !isLegal(ops, *split, areApart))
    return failure();
  return split;
}

namespace {

/// Builds the function of one grain.
class GrainBuilder {
public:
  GrainBuilder(func::FuncOp kernel, const KernelSplit &split)
      : kernel(kernel), split(split) {}

  GrainFunction build(LinalgOps ops);

private:
  /// An argument of the new function by what it is a part of.
  unsigned getArgument(BlockArgument whole, const Part &part);
  /// What stands for operand `value` of the kernel where `argument` stands for the
  /// kernel's.
  Value cloneViews(OpBuilder &builder, Value value, Value argument, Type type);
  void cloneOp(OpBuilder &builder, linalg::LinalgOp op,
               ArrayRef<unsigned> numbers, ArrayRef<Type> types);

  func::FuncOp kernel;
  const KernelSplit &split;
  GrainFunction result;
  SmallVector<Part> parts;
  IRMapping mapping;
};

} // namespace

unsigned GrainBuilder::getArgument(BlockArgument whole, const Part &part) {
  for (unsigned number = 0; number < parts.size(); ++number)
    if (result.arguments[number] == whole.getArgNumber() && parts[number] == part)
      return number;
  result.arguments.push_back(whole.getArgNumber());
  result.steps.push_back(part.step);
  parts.push_back(part);
  return parts.size() - 1;
}

/// A part has the shape that it is used in: only the whole needs to change it.
Value GrainBuilder::cloneViews(OpBuilder &builder, Value value, Value argument,
                               Type type) {
  bool isCut = split.grains > 0;
  if (isa<BlockArgument>(value) || (isCut && getReshaped(value) != value))
    return argument;
  Value source = value.getDefiningOp()->getOperand(0);
  source = cloneViews(builder, source, argument, source.getType());
  Operation *view = builder.clone(*value.getDefiningOp());
  view->setOperand(0, source);
  view->getResult(0).setType(type);
  return view->getResult(0);
}

/// Clones `op` with argument `numbers[i]`, or a view of it of type `types[i]`, as
/// operand i, unless the number is -1.
void GrainBuilder::cloneOp(OpBuilder &builder, linalg::LinalgOp op,
                           ArrayRef<unsigned> numbers, ArrayRef<Type> types) {
  Operation *copy = builder.clone(*op, mapping);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  for (auto [index, number] : llvm::enumerate(numbers))
    if (number != ~0u)
      copy->setOperand(index, cloneViews(builder, op->getOperand(index),
                                         copy->getBlock()->getArgument(number),
                                         types[index]));
}

GrainFunction GrainBuilder::build(LinalgOps ops) {
  SmallVector<SmallVector<unsigned>> numbers;
  SmallVector<SmallVector<Type>> operandTypes;
  for (auto [index, constOp] : llvm::enumerate(ops)) {
    linalg::LinalgOp op = constOp;
    auto &row = numbers.emplace_back();
    auto &types = operandTypes.emplace_back();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument whole = getArgumentOf(operand.get());
      Part part;
      part.type = operand.get().getType();
      if (whole && split.grains > 0)
        part = *getPart(op, operand, split.loops[index], split.grains);
      types.push_back(part.type);
      if (whole)
        part.type = split.grains > 0 ? getSourceType(operand.get(), part.type)
                                     : whole.getType();
      row.push_back(whole ? getArgument(whole, part) : ~0u);
    }
  }
  // What the bodies use beside operands: numbers, which no grain moves.
  SmallVector<BlockArgument> used;
  for (BlockArgument argument : kernel.getArguments())
    if (!isa<MemRefType>(argument.getType()))
      used.push_back(argument);
  for (BlockArgument argument : used) {
    Part part;
    part.type = argument.getType();
    getArgument(argument, part);
  }
  OpBuilder builder(kernel.getContext());
  SmallVector<Type> types;
  for (const Part &part : parts)
    types.push_back(part.type);
  auto function = func::FuncOp::create(
      kernel.getLoc(), kernel.getName(), builder.getFunctionType(types, {}),
      kernel->getDialectAttrs());
  function.setPrivate();
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  for (auto [number, whole] : llvm::enumerate(result.arguments)) {
    if (llvm::count(result.arguments, whole) == 1)
      function.setArgAttrs(number, kernel.getArgAttrDict(whole));
    if (!isa<MemRefType>(types[number]))
      mapping.map(kernel.getArgument(whole), block->getArgument(number));
  }
  for (Operation &op : kernel.front())
    if (op.hasTrait<OpTrait::ConstantLike>())
      builder.clone(op, mapping);
  for (auto [op, row, types] : llvm::zip_equal(ops, numbers, operandTypes))
    cloneOp(builder, op, row, types);
  func::ReturnOp::create(builder, kernel.getLoc());
  result.function = function;
  return result;
}

GrainFunction plumb::buildGrainFunction(func::FuncOp kernel, LinalgOps ops,
                                        const KernelSplit &split) {
  return GrainBuilder(kernel, split).build(ops);
}
