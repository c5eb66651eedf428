// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of a kernel's operations on parts of their buffers.

#include "compiler/codegen/cpu/GrainFunction.h"

#include "compiler/codegen/common/Places.h"
#include "compiler/codegen/cpu/BufferParts.h"
#include "compiler/codegen/cpu/Epilogue.h"
#include "compiler/support/UsedValues.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

namespace {

/// Builds the function of one grain.
class GrainBuilder {
public:
  GrainBuilder(func::FuncOp kernel, const KernelSplit &split)
      : kernel(kernel), split(split) {}

  GrainFunction build(LinalgOps ops);

private:
  /// An argument of the new function by the number of what it is a part of.
  unsigned getArgument(unsigned whole, const BufferPart &part);
  unsigned getOperand(linalg::LinalgOp op, OpOperand &operand, unsigned loop,
                      Type &type);
  void addCaptured(linalg::LinalgOp op);
  func::FuncOp makeFunction();
  void cloneCaptured(OpBuilder &builder, Value value);
  /// What stands for operand `value` of the kernel where `argument` stands for the
  /// kernel's.
  Value cloneViews(OpBuilder &builder, Value value, Value argument, Type type);
  void cloneOp(OpBuilder &builder, linalg::LinalgOp op,
               ArrayRef<unsigned> numbers, ArrayRef<Type> types);

  func::FuncOp kernel;
  const KernelSplit &split;
  GrainFunction result;
  SmallVector<BufferPart> parts;
  /// By argument of the kernel that bodies capture: the new function's.
  llvm::MapVector<BlockArgument, unsigned> captured;
  /// By constant of the kernel and value that bodies capture: the new function's.
  IRMapping mapping;
};

} // namespace

unsigned GrainBuilder::getArgument(unsigned whole, const BufferPart &part) {
  for (unsigned number = 0; number < parts.size(); ++number)
    if (result.arguments[number] == whole && parts[number] == part)
      return number;
  result.arguments.push_back(whole);
  result.steps.push_back(part.step);
  parts.push_back(part);
  return parts.size() - 1;
}

/// The argument that an operand of `op` becomes, and its type there; -1 if it becomes
/// none.
unsigned GrainBuilder::getOperand(linalg::LinalgOp op, OpOperand &operand,
                                  unsigned loop, Type &type) {
  BufferPart part;
  type = part.type = operand.get().getType();
  if (split.sum && op.isDpsInit(&operand)) {
    part.step = device::getByteSize(cast<MemRefType>(type));
    return getArgument(kernel.getNumArguments(), part);
  }
  BlockArgument whole = getKernelArgument(operand.get());
  if (!whole)
    return ~0u;
  if (split.grains > 0)
    part = *getPart(op, operand, loop, split.grains);
  type = part.type;
  part.type = split.grains > 0 ? getSourceType(operand.get(), type) : whole.getType();
  return getArgument(whole.getArgNumber(), part);
}

/// What the body uses beside operands: numbers and whole buffers, which no grain moves.
void GrainBuilder::addCaptured(linalg::LinalgOp op) {
  for (Value value : getCapturedValues(op)) {
    BlockArgument argument = getKernelArgument(value);
    if (!argument)
      continue;
    BufferPart part;
    part.type = argument.getType();
    captured[argument] = getArgument(argument.getArgNumber(), part);
  }
}

/// Lets `mapping` know a captured value in the new function: views are made again.
void GrainBuilder::cloneCaptured(OpBuilder &builder, Value value) {
  if (mapping.contains(value))
    return;
  Operation *definition = value.getDefiningOp();
  for (Value operand : definition->getOperands())
    cloneCaptured(builder, operand);
  builder.clone(*definition, mapping);
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
  for (Value value : getCapturedValues(op))
    cloneCaptured(builder, value);
  Operation *copy = builder.clone(*op, mapping);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  for (auto [index, number] : llvm::enumerate(numbers))
    if (number != ~0u)
      copy->setOperand(index, cloneViews(builder, op->getOperand(index),
                                         copy->getBlock()->getArgument(number),
                                         types[index]));
}

/// The function without operations.
func::FuncOp GrainBuilder::makeFunction() {
  Builder builder(kernel.getContext());
  auto types = llvm::map_to_vector(parts, [](const BufferPart &part) { return part.type; });
  auto function = func::FuncOp::create(
      kernel.getLoc(), kernel.getName(), builder.getFunctionType(types, {}),
      kernel->getDialectAttrs());
  function.setPrivate();
  Block *block = function.addEntryBlock();
  for (auto [number, whole] : llvm::enumerate(result.arguments)) {
    if (whole == kernel.getNumArguments())
      function.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
    else if (llvm::count(result.arguments, whole) == 1)
      function.setArgAttrs(number, kernel.getArgAttrDict(whole));
  }
  for (auto [argument, number] : captured)
    mapping.map(argument, block->getArgument(number));
  return function;
}

GrainFunction GrainBuilder::build(LinalgOps ops) {
  SmallVector<SmallVector<unsigned>> numbers;
  SmallVector<SmallVector<Type>> operandTypes;
  for (auto [index, constOp] : llvm::enumerate(ops)) {
    linalg::LinalgOp op = constOp;
    auto &row = numbers.emplace_back();
    auto &types = operandTypes.emplace_back();
    unsigned loop = split.grains > 0 ? split.loops[index] : 0;
    for (OpOperand &operand : op->getOpOperands())
      row.push_back(getOperand(op, operand, loop, types.emplace_back()));
  }
  for (linalg::LinalgOp op : ops)
    addCaptured(op);
  result.function = makeFunction();
  auto builder = OpBuilder::atBlockBegin(&result.function.front());
  for (Operation &op : kernel.front())
    if (op.hasTrait<OpTrait::ConstantLike>())
      builder.clone(op, mapping);
  for (auto [op, row, types] : llvm::zip_equal(ops, numbers, operandTypes))
    cloneOp(builder, op, row, types);
  func::ReturnOp::create(builder, kernel.getLoc());
  return result;
}

/// Puts a fill with zero before `op`, which then is all of its sum; another function
/// reads it, so it is stored.
static void startFromZero(linalg::LinalgOp op) {
  op->removeAttr(kTransientMark);
  OpBuilder builder(op);
  Value result = op.getDpsInits()[0];
  Type type = cast<MemRefType>(result.getType()).getElementType();
  Value zero = arith::ConstantOp::create(builder, op.getLoc(),
                                         builder.getZeroAttr(type));
  linalg::FillOp::create(builder, op.getLoc(), zero, result);
}

GrainFunction plumb::buildGrainFunction(func::FuncOp kernel, LinalgOps ops,
                                        const KernelSplit &split) {
  if (!split.sum)
    return GrainBuilder(kernel, split).build(ops);
  GrainFunction part =
      GrainBuilder(kernel, split).build(ops.slice(*split.sum, 1));
  startFromZero(*part.function.front().getOps<linalg::LinalgOp>().begin());
  return part;
}

MemRefType plumb::getPartialsType(LinalgOps ops, const KernelSplit &split) {
  linalg::LinalgOp op = ops[*split.sum];
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  SmallVector<int64_t> shape{split.grains};
  llvm::append_range(shape, type.getShape());
  return MemRefType::get(shape, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// Replaces `op` by a sum of `partials`, whose parallel loops are those of `op`.
static void addPartials(linalg::LinalgOp op, Value partials) {
  OpBuilder builder(op);
  Value result = op.getDpsInits()[0];
  unsigned rank = cast<MemRefType>(result.getType()).getRank();
  AffineMap at = builder.getMultiDimIdentityMap(rank + 1).dropResult(rank);
  AffineMap from = at.insertResult(builder.getAffineDimExpr(rank), 0);
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
  types.push_back(utils::IteratorType::reduction);
  linalg::GenericOp::create(
      builder, op.getLoc(), partials, result, ArrayRef{from, at}, types,
      [](OpBuilder &body, Location location, ValueRange arguments) {
        Value sum = arith::AddFOp::create(body, location, arguments[1], arguments[0]);
        linalg::YieldOp::create(body, location, sum);
      });
  op.erase();
}

/// Drops views and arguments that nothing reads or writes any more.
static void dropUnused(GrainFunction &part) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(part.function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (unsigned number = part.arguments.size(); number-- > 0;) {
    if (!part.function.getArgument(number).use_empty())
      continue;
    (void)part.function.eraseArgument(number);
    part.arguments.erase(part.arguments.begin() + number);
    part.steps.erase(part.steps.begin() + number);
  }
}

GrainFunction plumb::buildSumFunction(func::FuncOp kernel, LinalgOps ops,
                                      const KernelSplit &split) {
  GrainFunction rest = GrainBuilder(kernel, KernelSplit()).build(ops);
  func::FuncOp function = rest.function;
  function.setName((kernel.getName() + "_sums").str());
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, getPartialsType(ops, split), {},
                                kernel.getLoc());
  rest.arguments.push_back(kernel.getNumArguments());
  rest.steps.push_back(0);
  SmallVector<linalg::LinalgOp> copies(function.front().getOps<linalg::LinalgOp>());
  Value partials = function.getArgument(number);
  addPartials(copies[*split.sum], partials);
  dropUnused(rest);
  return rest;
}
