// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the tensors of a loop to buffers.
//
// StoragePlan first decides, on the unchanged tensors, which of them share memory and where a copy is needed. Then one
// walk in program order rewrites each operation: destination-passing operations write to buffers, reshapes and slices
// become views, a read becomes a view of its variable, a write nothing or a copy, and control flow loses its tensor
// operands and results. Buffers of the arena are `memref.alloc` at the beginning of the loop; PlanArena gives them
// offsets.
//
//   %e = tensor.empty() : tensor<4xf32>                         %w = device.variable.view @w : memref<4xf32>
//   %w = device.read @w : tensor<4xf32>                   =>    linalg.generic ins(%g : …) outs(%w : memref<4xf32>)
//   %n = linalg.generic ins(%w, %g : …) outs(%e : …)
//   device.write @w, %n : tensor<4xf32>
//
// Tests: test/compiler/lower/convert_tensors_to_buffers*.mlir

#include "compiler/lower/BufferBuilder.h"
#include "compiler/lower/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace plumb {
#define GEN_PASS_DEF_CONVERTTENSORSTOBUFFERSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

static bool usesTensors(Operation *op) {
  return llvm::any_of(op->getOperands(), isTensor) || llvm::any_of(op->getResults(), isTensor);
}

namespace {

/// Rewrites one loop after its plan.
class LoopConverter {
public:
  LoopConverter(device::LoopOp loop, const StoragePlan &plan)
      : loop(loop), plan(plan), buffers(loop, plan), builder(loop.getContext()) {}

  void run() { convert(loop.getBody().front()); }

private:
  /// Converts a block; `leave` converts the terminator before the old operations are erased.
  void convert(Block &block, llvm::function_ref<void()> leave = {});
  bool convert(Operation *op);
  void convertGetNext(device::GetNextOp next);
  void convertRead(device::ReadOp read);
  void convertWrite(device::WriteOp write);
  void convertConstant(arith::ConstantOp constant);
  void convertSlice(tensor::ExtractSliceOp slice);
  void convertInsertSlice(tensor::InsertSliceOp insert);
  void convertPad(tensor::PadOp pad);
  void convertFromElements(tensor::FromElementsOp elements);
  void convertBitcast(tensor::BitcastOp cast);
  void convertInsert(tensor::InsertOp insert);
  void convertExtract(tensor::ExtractOp extract);
  void convertLinalg(linalg::LinalgOp op);
  void convertOther(DestinationStyleOpInterface op);
  void convertExtractsInside(Region &region);
  template <typename OpT, typename NewOpT> void convertReshape(OpT reshape);
  void convertFor(scf::ForOp forOp);
  void convertWhile(scf::WhileOp whileOp);
  void convertIf(scf::IfOp ifOp);
  void enterRegion(MutableArrayRef<OpOperand> inits, ValueRange arguments);
  void leaveRegion(Operation *terminator, MutableOperandRange operands, ValueRange targets);
  Value copyAside(Value from, Location loc);
  void stripTensors(Operation *op);

  /// The buffer for `result`, which contains the value of the destination `init` if the plan demands a copy.
  Value defineFrom(OpOperand &init, Value result);

  device::LoopOp loop;
  const StoragePlan &plan;
  BufferBuilder buffers;
  OpBuilder builder;
};

} // namespace

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void LoopConverter::convert(Block &block, llvm::function_ref<void()> leave) {
  SmallVector<Operation *> done;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    builder.setInsertionPoint(&op);
    if (convert(&op))
      done.push_back(&op);
  }
  if (leave)
    leave();
  for (Operation *op : llvm::reverse(done))
    op->erase();
}

/// Emits `op` on buffers. Returns whether the old operation has to be erased.
bool LoopConverter::convert(Operation *op) {
  // Operations in regions may use tensors even if the operation around them does not.
  if (!usesTensors(op) && !isa<RegionBranchOpInterface>(op))
    return false;
  if (isa<device::EmitOp, device::PrintOp, device::ContinueIfOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(buffers.get(builder, operand.get()));
    return false;
  }
  if (isa<scf::YieldOp, scf::ConditionOp>(op)) // Converted with the operation that owns the region.
    return false;
  TypeSwitch<Operation *>(op)
      .Case([&](device::GetNextOp next) { convertGetNext(next); })
      .Case([&](device::ReadOp read) { convertRead(read); })
      .Case([&](device::WriteOp write) { convertWrite(write); })
      .Case([&](arith::ConstantOp constant) { convertConstant(constant); })
      .Case([&](tensor::ExpandShapeOp expand) { convertReshape<tensor::ExpandShapeOp, memref::ExpandShapeOp>(expand); })
      .Case([&](tensor::CollapseShapeOp collapse) {
        convertReshape<tensor::CollapseShapeOp, memref::CollapseShapeOp>(collapse);
      })
      .Case([&](tensor::BitcastOp cast) { convertBitcast(cast); })
      .Case([&](tensor::ExtractSliceOp slice) { convertSlice(slice); })
      .Case([&](tensor::InsertSliceOp insert) { convertInsertSlice(insert); })
      .Case([&](tensor::PadOp pad) { convertPad(pad); })
      .Case([&](tensor::FromElementsOp elements) { convertFromElements(elements); })
      .Case([&](tensor::InsertOp insert) { convertInsert(insert); })
      .Case([&](tensor::ExtractOp extract) { convertExtract(extract); })
      .Case([&](linalg::LinalgOp linalgOp) { convertLinalg(linalgOp); })
      .Case([&](DestinationStyleOpInterface other) { convertOther(other); })
      .Case([&](scf::ForOp forOp) { convertFor(forOp); })
      .Case([&](scf::WhileOp whileOp) { convertWhile(whileOp); })
      .Case([&](scf::IfOp ifOp) { convertIf(ifOp); });
  return true;
}

Value LoopConverter::defineFrom(OpOperand &init, Value result) {
  Value content = plan.lookup(init.get()) ? buffers.get(builder, init.get()) : Value();
  Value target = buffers.define(builder, result);
  if (plan.needsCopy(init) && content)
    BufferBuilder::copy(builder, result.getLoc(), content, target);
  return target;
}

void LoopConverter::convertBitcast(tensor::BitcastOp cast) {
  if (plan.lookup(cast.getSource()))
    buffers.set(cast.getResult(), buffers.get(builder, cast.getSource()));
}

void LoopConverter::convertInsert(tensor::InsertOp insert) {
  Value buffer = defineFrom(insert.getDestMutable(), insert.getResult());
  memref::StoreOp::create(builder, insert.getLoc(), insert.getScalar(), buffer, insert.getIndices());
}

void LoopConverter::convertExtract(tensor::ExtractOp extract) {
  Value buffer = buffers.get(builder, extract.getTensor());
  extract.replaceAllUsesWith(
      memref::LoadOp::create(builder, extract.getLoc(), buffer, extract.getIndices()).getResult());
}

void LoopConverter::convertGetNext(device::GetNextOp next) {
  SmallVector<Type> types;
  for (Type type : next.getResultTypes())
    types.push_back(device::getBufferType(cast<ShapedType>(type)));
  auto pulled = device::GetNextOp::create(builder, next.getLoc(), types, next.getQueueAttr());
  for (auto [tensor, buffer] : llvm::zip(next.getBatch(), pulled.getBatch()))
    buffers.set(tensor, buffer);
}

void LoopConverter::convertRead(device::ReadOp read) {
  Value target = buffers.define(builder, read.getValue());
  if (!plan.needsSnapshot(read))
    return;
  Value variable = buffers.getVariable(read.getVariableAttr().getAttr(), read.getLoc());
  BufferBuilder::copy(builder, read.getLoc(), variable, target);
}

void LoopConverter::convertWrite(device::WriteOp write) {
  Storage *storage = plan.lookup(write.getValue());
  if (storage && storage->variable == write.getVariableAttr().getAttr())
    return;
  Value value = buffers.get(builder, write.getValue());
  Value variable = buffers.getVariable(write.getVariableAttr().getAttr(), write.getLoc());
  BufferBuilder::copy(builder, write.getLoc(), value, variable);
}

/// A splat becomes a fill, another constant a `memref.global` in front of the loop.
void LoopConverter::convertConstant(arith::ConstantOp constant) {
  Location loc = constant.getLoc();
  auto elements = cast<ElementsAttr>(constant.getValue());
  auto type = device::getBufferType(cast<ShapedType>(constant.getType()));
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (dense && dense.getElementType() != type.getElementType())
    elements = dense = dense.bitcast(type.getElementType());
  if (dense && dense.isSplat()) {
    Value scalar = arith::ConstantOp::create(builder, loc, dense.getSplatValue<TypedAttr>());
    linalg::FillOp::create(builder, loc, scalar, buffers.define(builder, constant.getResult()));
    return;
  }
  auto module = loop->getParentOfType<device::ModuleOp>();
  OpBuilder atLoop(loop);
  auto global = memref::GlobalOp::create(atLoop, loc, "constant", atLoop.getStringAttr("private"), type, elements,
                                         /*constant=*/true, atLoop.getI64IntegerAttr(device::kBufferAlignment));
  global->remove();
  SymbolTable(module).insert(global, Block::iterator(loop));
  buffers.set(constant.getResult(), memref::GetGlobalOp::create(builder, loc, type, global.getSymName()));
}

template <typename OpT, typename NewOpT> void LoopConverter::convertReshape(OpT reshape) {
  if (!plan.lookup(reshape.getSrc())) {
    buffers.define(builder, reshape.getResult());
    return;
  }
  Value source = buffers.get(builder, reshape.getSrc());
  Value view = NewOpT::create(builder, reshape.getLoc(), device::getBufferType(reshape.getResultType()), source,
                              reshape.getReassociationIndices());
  buffers.set(reshape.getResult(), view);
}

void LoopConverter::convertSlice(tensor::ExtractSliceOp slice) {
  Location loc = slice.getLoc();
  if (!plan.lookup(slice.getSource())) {
    buffers.define(builder, slice.getResult());
    return;
  }
  Value source = buffers.get(builder, slice.getSource());
  Value view = BufferBuilder::viewSlice(builder, source, slice, slice.getType());
  if (plan.needsCopy(slice.getSourceMutable()))
    BufferBuilder::copy(builder, loc, view, buffers.define(builder, slice.getResult()));
  else
    buffers.set(slice.getResult(), view);
}

void LoopConverter::convertInsertSlice(tensor::InsertSliceOp insert) {
  Value whole = defineFrom(insert.getDestMutable(), insert.getResult());
  if (plan.isInPlace(insert))
    return;
  Value source = buffers.get(builder, insert.getSource());
  BufferBuilder::copy(builder, insert.getLoc(), source,
                      BufferBuilder::viewSlice(builder, whole, insert, insert.getSourceType()));
}

/// Padding that only contractions read becomes a view, whose elements outside are known to be zero; other padding is
/// stored.
void LoopConverter::convertPad(tensor::PadOp pad) {
  Location loc = pad.getLoc();
  Value source = buffers.get(builder, pad.getSource());
  if (mayStayHalo(pad)) {
    buffers.set(pad.getResult(), device::HaloOp::create(builder, loc, source, pad.getStaticLow(), pad.getStaticHigh()));
    return;
  }
  Value whole = buffers.define(builder, pad.getResult());
  linalg::FillOp::create(builder, loc, pad.getConstantPaddingValue(), whole);
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, source);
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  Value inside = memref::SubViewOp::create(builder, loc, whole, pad.getMixedLowPad(), sizes, strides);
  BufferBuilder::copy(builder, loc, source, inside);
}

void LoopConverter::convertFromElements(tensor::FromElementsOp elements) {
  Location loc = elements.getLoc();
  Value buffer = buffers.define(builder, elements.getResult());
  ArrayRef<int64_t> shape = elements.getType().getShape();
  for (auto [number, element] : llvm::enumerate(elements.getElements())) {
    SmallVector<Value> indices(shape.size());
    int64_t rest = number;
    for (int64_t axis = shape.size() - 1; axis >= 0; rest /= shape[axis--])
      indices[axis] = arith::ConstantIndexOp::create(builder, loc, rest % shape[axis]);
    memref::StoreOp::create(builder, loc, element, buffer, indices);
  }
}

void LoopConverter::convertLinalg(linalg::LinalgOp op) {
  SmallVector<Value> operands;
  for (OpOperand *input : op.getDpsInputOperands())
    operands.push_back(buffers.get(builder, input->get()));
  for (OpOperand &init : op.getDpsInitsMutable())
    operands.push_back(defineFrom(init, op.getTiedOpResult(&init)));
  Operation *converted = clone(builder, op, TypeRange{}, operands);
  for (auto [argument, operand] : llvm::zip(converted->getRegion(0).getArguments(), operands))
    if (auto buffer = dyn_cast<MemRefType>(operand.getType())) // Unsigned elements are signless in buffers.
      argument.setType(buffer.getElementType());
  for (Region &region : converted->getRegions())
    convertExtractsInside(region);
}

/// An operation without a body, such as a call of a C function, whose tensor operands are replaced by buffers.
void LoopConverter::convertOther(DestinationStyleOpInterface op) {
  SmallVector<Value> operands;
  for (OpOperand *input : op.getDpsInputOperands())
    operands.push_back(buffers.get(builder, input->get()));
  for (OpOperand &init : op.getDpsInitsMutable())
    operands.push_back(buffers.define(builder, op.getTiedOpResult(&init)));
  clone(builder, op, TypeRange{}, operands);
}

/// Extractions from tensors outside of a body become loads.
void LoopConverter::convertExtractsInside(Region &region) {
  region.walk([&](tensor::ExtractOp extract) {
    OpBuilder inside(extract);
    Value buffer = buffers.get(builder, extract.getTensor());
    extract.replaceAllUsesWith(
        memref::LoadOp::create(inside, extract.getLoc(), buffer, extract.getIndices()).getResult());
    extract.erase();
  });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Copies the initial values of a region's arguments where the plan demands it.
void LoopConverter::enterRegion(MutableArrayRef<OpOperand> inits, ValueRange arguments) {
  for (auto [init, argument] : llvm::zip_equal(inits, arguments))
    if (isTensor(argument))
      defineFrom(init, argument);
}

/// Copies the operands of a terminator to the storages of `targets`. These are parallel copies: values that an earlier
/// copy overwrites go through a new buffer. A value that was computed in its target stays there.
void LoopConverter::leaveRegion(Operation *terminator, MutableOperandRange operands, ValueRange targets) {
  builder.setInsertionPoint(terminator);
  Location loc = terminator->getLoc();
  SmallVector<std::pair<Value, Value>> moves;
  SmallVector<Value> kept;
  llvm::SmallPtrSet<Storage *, 4> written;
  for (auto [operand, target] : llvm::zip(operands, targets)) {
    if (!isTensor(operand.get())) {
      kept.push_back(operand.get());
      continue;
    }
    if (!plan.needsCopy(operand) || !plan.lookup(operand.get()))
      continue;
    Value from = buffers.get(builder, operand.get()), to = buffers.define(builder, target);
    if (from == to)
      continue;
    if (written.contains(plan.lookup(operand.get())))
      from = copyAside(from, loc);
    moves.push_back({from, to});
    written.insert(plan.lookup(target));
  }
  for (auto [from, to] : moves)
    BufferBuilder::copy(builder, loc, from, to);
  operands.assign(kept);
}

/// A copy of `from` in a fresh buffer.
Value LoopConverter::copyAside(Value from, Location loc) {
  OpBuilder atBegin = OpBuilder::atBlockBegin(&loop.getBody().front());
  Value aside = memref::AllocOp::create(atBegin, loc, device::getBufferType(cast<ShapedType>(from.getType())));
  BufferBuilder::copy(builder, loc, from, aside);
  return aside;
}

void LoopConverter::convertFor(scf::ForOp forOp) {
  enterRegion(forOp.getInitArgsMutable(), forOp.getRegionIterArgs());
  auto yield = cast<scf::YieldOp>(forOp.getBody()->getTerminator());
  for (Value result : forOp.getResults())
    if (isTensor(result))
      buffers.define(builder, result);
  convert(*forOp.getBody(), [&] { leaveRegion(yield, yield.getResultsMutable(), forOp.getRegionIterArgs()); });
  stripTensors(forOp);
}

void LoopConverter::convertWhile(scf::WhileOp whileOp) {
  enterRegion(whileOp.getInitsMutable(), whileOp.getBeforeArguments());
  for (ValueRange values : {ValueRange(whileOp.getAfterArguments()), ValueRange(whileOp.getResults())})
    for (Value value : values)
      if (isTensor(value))
        buffers.define(builder, value);
  scf::ConditionOp condition = whileOp.getConditionOp();
  scf::YieldOp yield = whileOp.getYieldOp();
  convert(*whileOp.getBeforeBody(),
          [&] { leaveRegion(condition, condition.getArgsMutable(), whileOp.getAfterArguments()); });
  convert(*whileOp.getAfterBody(),
          [&] { leaveRegion(yield, yield.getResultsMutable(), whileOp.getBeforeArguments()); });
  stripTensors(whileOp);
}

void LoopConverter::convertIf(scf::IfOp ifOp) {
  for (Value result : ifOp.getResults())
    if (isTensor(result))
      buffers.define(builder, result);
  for (Region *region : {&ifOp.getThenRegion(), &ifOp.getElseRegion()}) {
    if (region->empty())
      continue;
    auto yield = cast<scf::YieldOp>(region->front().getTerminator());
    convert(region->front(), [&] { leaveRegion(yield, yield.getResultsMutable(), ifOp.getResults()); });
  }
  stripTensors(ifOp);
}

/// Rebuilds `op` without tensors among its operands, results and region arguments. The old operation has empty regions
/// then.
void LoopConverter::stripTensors(Operation *op) {
  builder.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName());
  SmallVector<Value> results;
  for (Value operand : op->getOperands())
    if (!isTensor(operand))
      state.operands.push_back(operand);
  for (Value result : op->getResults())
    if (!isTensor(result)) {
      results.push_back(result);
      state.types.push_back(result.getType());
    }
  state.attributes = op->getAttrs();
  for (Region &region : op->getRegions()) {
    state.addRegion()->takeBody(region);
    if (!state.regions.back()->empty())
      state.regions.back()->front().eraseArguments([](BlockArgument argument) { return isTensor(argument); });
  }
  Operation *stripped = builder.create(state);
  for (auto [old, fresh] : llvm::zip(results, stripped->getResults()))
    old.replaceAllUsesWith(fresh);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertTensorsToBuffersPass : public plumb::impl::ConvertTensorsToBuffersPassBase<ConvertTensorsToBuffersPass> {
  /// Converts selects of tensors, which canonicalization makes of branches that yield values from outside, to linalg.
  static void convertSelects(device::LoopOp loop) {
    RewritePatternSet patterns(loop.getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    SmallVector<Operation *> selects;
    loop.walk([&](arith::SelectOp select) {
      if (isTensor(select.getResult()))
        selects.push_back(select);
    });
    (void)applyOpPatternsGreedily(selects, frozen);
  }

  void runOnOperation() override {
    SmallVector<device::LoopOp> loops;
    getOperation()->walk([&](device::LoopOp loop) { loops.push_back(loop); });
    for (device::LoopOp loop : loops) {
      convertSelects(loop);
      StoragePlan plan(loop);
      if (failed(plan.run()))
        return signalPassFailure();
      LoopConverter(loop, plan).run();
    }
  }
};

} // namespace
