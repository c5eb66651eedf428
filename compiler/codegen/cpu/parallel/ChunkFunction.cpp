// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones a kernel's operations with their operands restricted to one chunk.

#include "compiler/codegen/cpu/parallel/ChunkFunction.h"

#include "compiler/codegen/common/Aliasing.h"
#include "compiler/codegen/cpu/parallel/ChunkOperands.h"
#include "compiler/codegen/cpu/plan/Epilogue.h"
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

/// Builds the function of one chunk.
class ChunkFunctionBuilder {
public:
  ChunkFunctionBuilder(func::FuncOp kernel, const KernelPartition &partition) : kernel(kernel), partition(partition) {}

  ChunkFunction build(LinalgOps ops);

private:
  /// The number of the new function's argument for `part` of argument `whole` of the kernel.
  unsigned getArgument(unsigned whole, const ChunkOperand &part);
  unsigned getOperand(linalg::LinalgOp op, OpOperand &operand, unsigned loop, Type &type);
  void addCaptured(linalg::LinalgOp op);
  func::FuncOp makeFunction();
  void cloneCaptured(OpBuilder &builder, Value value);
  /// Rebuilds the views between the kernel's argument and `value` on top of `argument`.
  Value cloneViews(OpBuilder &builder, Value value, Value argument, Type type);
  void cloneOp(OpBuilder &builder, linalg::LinalgOp op, ArrayRef<unsigned> numbers, ArrayRef<Type> types);

  func::FuncOp kernel;
  const KernelPartition &partition;
  ChunkFunction result;
  SmallVector<ChunkOperand> parts;
  /// By argument of the kernel that bodies capture: the new function's argument.
  llvm::MapVector<BlockArgument, unsigned> captured;
  /// Constants of the kernel and captured values, mapped to the new function's.
  IRMapping mapping;
};

} // namespace

unsigned ChunkFunctionBuilder::getArgument(unsigned whole, const ChunkOperand &part) {
  for (unsigned number = 0; number < parts.size(); ++number)
    if (result.arguments[number] == whole && parts[number] == part)
      return number;
  result.arguments.push_back(whole);
  result.steps.push_back(part.step);
  parts.push_back(part);
  return parts.size() - 1;
}

/// The number of the argument that an operand of `op` becomes, and its type there; -1 for other values.
unsigned ChunkFunctionBuilder::getOperand(linalg::LinalgOp op, OpOperand &operand, unsigned loop, Type &type) {
  ChunkOperand part;
  type = part.type = operand.get().getType();
  if (partition.sum && op.isDpsInit(&operand)) {
    part.step = device::getByteSize(cast<MemRefType>(type));
    return getArgument(kernel.getNumArguments(), part);
  }
  BlockArgument whole = getKernelArgument(operand.get());
  if (!whole)
    return ~0u;
  if (partition.chunks > 0)
    part = *getPart(op, operand, loop, partition.chunks);
  type = part.type;
  part.type = partition.chunks > 0 ? getSourceType(operand.get(), type) : whole.getType();
  return getArgument(whole.getArgNumber(), part);
}

/// Adds arguments for values that the body captures, scalars and complete buffers, which are the same for all chunks.
void ChunkFunctionBuilder::addCaptured(linalg::LinalgOp op) {
  for (Value value : getCapturedValues(op)) {
    BlockArgument argument = getKernelArgument(value);
    if (!argument)
      continue;
    ChunkOperand part;
    part.type = argument.getType();
    captured[argument] = getArgument(argument.getArgNumber(), part);
  }
}

/// Maps a captured value to the new function, and clones its views.
void ChunkFunctionBuilder::cloneCaptured(OpBuilder &builder, Value value) {
  if (mapping.contains(value))
    return;
  Operation *definition = value.getDefiningOp();
  for (Value operand : definition->getOperands())
    cloneCaptured(builder, operand);
  builder.clone(*definition, mapping);
}

/// The argument of a chunk has the shape of its use already; only complete arguments need their views.
Value ChunkFunctionBuilder::cloneViews(OpBuilder &builder, Value value, Value argument, Type type) {
  bool isCut = partition.chunks > 0;
  if (isa<BlockArgument>(value) || (isCut && getReshaped(value) != value))
    return argument;
  Value source = value.getDefiningOp()->getOperand(0);
  source = cloneViews(builder, source, argument, source.getType());
  Operation *view = builder.clone(*value.getDefiningOp());
  view->setOperand(0, source);
  view->getResult(0).setType(type);
  return view->getResult(0);
}

/// Clones `op`; operand i becomes argument `numbers[i]`, or a view of it of type `types[i]`, unless the number is -1.
void ChunkFunctionBuilder::cloneOp(OpBuilder &builder, linalg::LinalgOp op, ArrayRef<unsigned> numbers,
                                   ArrayRef<Type> types) {
  for (Value value : getCapturedValues(op))
    cloneCaptured(builder, value);
  Operation *copy = builder.clone(*op, mapping);
  // The plan of all chunks is none for one of them.
  if (partition.chunks > 0)
    copy->removeAttr(kernel::kPlanName);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  for (auto [index, number] : llvm::enumerate(numbers))
    if (number != ~0u)
      copy->setOperand(index,
                       cloneViews(builder, op->getOperand(index), copy->getBlock()->getArgument(number), types[index]));
}

/// The function without its operations.
func::FuncOp ChunkFunctionBuilder::makeFunction() {
  Builder builder(kernel.getContext());
  auto types = llvm::map_to_vector(parts, [](const ChunkOperand &part) { return part.type; });
  auto function = func::FuncOp::create(kernel.getLoc(), kernel.getName(), builder.getFunctionType(types, {}),
                                       kernel->getDialectAttrs());
  function.setPrivate();
  Block *block = function.addEntryBlock();
  for (auto [number, whole] : llvm::enumerate(result.arguments)) {
    if (whole == kernel.getNumArguments())
      function.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    else if (llvm::count(result.arguments, whole) == 1)
      function.setArgAttrs(number, kernel.getArgAttrDict(whole));
  }
  for (auto [argument, number] : captured)
    mapping.map(argument, block->getArgument(number));
  return function;
}

ChunkFunction ChunkFunctionBuilder::build(LinalgOps ops) {
  SmallVector<SmallVector<unsigned>> numbers;
  SmallVector<SmallVector<Type>> operandTypes;
  for (auto [index, constOp] : llvm::enumerate(ops)) {
    linalg::LinalgOp op = constOp;
    auto &row = numbers.emplace_back();
    auto &types = operandTypes.emplace_back();
    unsigned loop = partition.chunks > 0 ? partition.loops[index] : 0;
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

/// Inserts a fill with zero before `op`, which then computes a partial sum by itself. The sum is stored, as another
/// function reads it.
static void startFromZero(linalg::LinalgOp op) {
  op->removeAttr(kernel::kTransientName);
  OpBuilder builder(op);
  Value result = op.getDpsInits()[0];
  Type type = cast<MemRefType>(result.getType()).getElementType();
  Value zero = arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(type));
  linalg::FillOp::create(builder, op.getLoc(), zero, result);
}

ChunkFunction plumb::buildChunkFunction(func::FuncOp kernel, LinalgOps ops, const KernelPartition &partition) {
  if (!partition.sum)
    return ChunkFunctionBuilder(kernel, partition).build(ops);
  ChunkFunction part = ChunkFunctionBuilder(kernel, partition).build(ops.slice(*partition.sum, 1));
  startFromZero(*part.function.front().getOps<linalg::LinalgOp>().begin());
  return part;
}

MemRefType plumb::getPartialsType(LinalgOps ops, const KernelPartition &partition) {
  linalg::LinalgOp op = ops[*partition.sum];
  auto type = cast<MemRefType>(op.getDpsInits()[0].getType());
  SmallVector<int64_t> shape{partition.chunks};
  llvm::append_range(shape, type.getShape());
  return MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// Replaces `op` by a sum of `partials`, with the parallel loops of `op`.
static void addPartials(linalg::LinalgOp op, Value partials) {
  OpBuilder builder(op);
  Value result = op.getDpsInits()[0];
  unsigned rank = cast<MemRefType>(result.getType()).getRank();
  AffineMap at = builder.getMultiDimIdentityMap(rank + 1).dropResult(rank);
  AffineMap from = at.insertResult(builder.getAffineDimExpr(rank), 0);
  SmallVector<utils::IteratorType> types(rank, utils::IteratorType::parallel);
  types.push_back(utils::IteratorType::reduction);
  linalg::GenericOp::create(builder, op.getLoc(), partials, result, ArrayRef{from, at}, types,
                            [](OpBuilder &body, Location location, ValueRange arguments) {
                              Value sum = arith::AddFOp::create(body, location, arguments[1], arguments[0]);
                              linalg::YieldOp::create(body, location, sum);
                            });
  op.erase();
}

/// Erases views and arguments without uses.
static void dropUnused(ChunkFunction &part) {
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

ChunkFunction plumb::buildSumFunction(func::FuncOp kernel, LinalgOps ops, const KernelPartition &partition) {
  ChunkFunction rest = ChunkFunctionBuilder(kernel, KernelPartition()).build(ops);
  func::FuncOp function = rest.function;
  function.setName((kernel.getName() + "_sums").str());
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, getPartialsType(ops, partition), {}, kernel.getLoc());
  rest.arguments.push_back(kernel.getNumArguments());
  rest.steps.push_back(0);
  SmallVector<linalg::LinalgOp> copies(function.front().getOps<linalg::LinalgOp>());
  Value partials = function.getArgument(number);
  addPartials(copies[*partition.sum], partials);
  dropUnused(rest);
  return rest;
}
