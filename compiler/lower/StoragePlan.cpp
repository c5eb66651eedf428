// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 1 of a storage plan: one walk in program order that assigns every tensor to a new storage, or to that of the
// tensor which it is a view of or an update of.

#include "compiler/lower/StoragePlan.h"
#include "compiler/support/ReductionBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace plumb;

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

StoragePlan::StoragePlan(device::LoopOp loop) : loop(loop), order(loop.getBody().front()) {}

LogicalResult StoragePlan::run() {
  loop.walk([&](device::WriteOp write) { writes[write.getVariableAttr().getAttr()].push_back(write); });
  if (failed(visit(loop.getBody().front())))
    return failure();
  joinVariables();
  joinElementwise();
  return success();
}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

Storage *StoragePlan::create(Value value, Storage::Kind kind) {
  Storage &storage = pool.emplace_back();
  storage.kind = kind;
  storage.type = device::getBufferType(cast<ShapedType>(value.getType()));
  assign(value, &storage);
  return &storage;
}

void StoragePlan::assign(Value value, Storage *storage) {
  storages[value] = storage;
  storage->values.push_back(value);
  unsigned definition = order.definition(value), lastUse = order.lastUse(value);
  for (Storage *part = storage; part; part = part->parent) {
    part->firstDefinition = std::min(part->firstDefinition, definition);
    part->lastUse = std::max(part->lastUse, lastUse);
  }
}

void StoragePlan::join(Storage *kept, Storage *dropped) {
  for (Value value : dropped->values)
    assign(value, kept);
  dropped->values.clear();
  for (Storage *part : dropped->parts)
    part->parent = kept;
  kept->parts.append(dropped->parts);
  dropped->parts.clear();
  kept->firstDefinition = std::min(kept->firstDefinition, dropped->firstDefinition);
  kept->lastUse = std::max(kept->lastUse, dropped->lastUse);
}

bool plumb::isElementForElement(Operation *op, OpOperand &operand, OpOperand &init) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumParallelLoops() != linalgOp.getNumLoops())
    return false;
  AffineMap written = linalgOp.getMatchingIndexingMap(&init);
  return written.isPermutation() && linalgOp.getMatchingIndexingMap(&operand) == written &&
         operand.get().getType() == init.get().getType();
}

bool StoragePlan::mayOverwrite(Storage *storage, Operation *op, OpOperand *init) const {
  unsigned now = order.start(op);
  auto isLive = [&](Value value) { return order.definition(value) <= now && order.lastUse(value) > now; };
  if (storage->lastUse > now && llvm::any_of(getValues(*storage), isLive))
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != init && lookup(operand.get()) == storage && !(init && isElementForElement(op, operand, *init)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult StoragePlan::visit(Block &block) {
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

/// Whether all users of a slice accept a strided view, and none writes into it: a result that shares the storage of a
/// view is given all of that storage.
static bool mayStayView(tensor::ExtractSliceOp slice) {
  return llvm::all_of(slice->getUses(), [](OpOperand &use) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    auto compute = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (insert || (compute && compute.isDpsInit(&use) && compute.payloadUsesValueFromOperand(&use)))
      return insert && &use == &insert.getSourceMutable();
    return isa<linalg::LinalgOp, tensor::ExtractOp, tensor::PadOp, device::WriteOp>(use.getOwner());
  });
}

/// Whether the operand is an input of a contraction of two tensors.
static bool isFactor(OpOperand &operand) {
  auto generic = dyn_cast<linalg::GenericOp>(operand.getOwner());
  return generic && generic.isDpsInput(&operand) && generic.getNumDpsInputs() == 2 && isContraction(generic);
}

bool plumb::mayStayHalo(tensor::PadOp pad) {
  Value number = pad.getConstantPaddingValue();
  Type element = pad.getType().getElementType();
  return number && (matchPattern(number, m_AnyZeroFloat()) || matchPattern(number, m_Zero())) &&
         (element.isF32() || element.isF64()) && pad.getType().hasStaticShape() &&
         pad.getSourceType().hasStaticShape() && llvm::all_of(pad->getUses(), isFactor);
}

/// Assigns a view to its source's storage. The source may be an empty tensor, which has none.
void StoragePlan::assignOrCreate(Value view, Value source) {
  if (Storage *storage = lookup(source))
    assign(view, storage);
  else
    create(view);
}

void StoragePlan::visitExtract(tensor::ExtractSliceOp slice) {
  Storage *source = lookup(slice.getSource());
  if (source && mayStayView(slice))
    return assign(slice.getResult(), source);
  create(slice.getResult());
  if (source)
    copies.insert(&slice.getSourceMutable());
}

LogicalResult StoragePlan::visitPad(tensor::PadOp pad) {
  if (!pad.getType().hasStaticShape() || !pad.getConstantPaddingValue())
    return pad.emitOpError() << "has no form on buffers";
  if (mayStayHalo(pad))
    assignOrCreate(pad.getResult(), pad.getSource());
  else
    create(pad.getResult());
  return success();
}

void StoragePlan::visitConstant(arith::ConstantOp constant) {
  if (!isTensor(constant))
    return;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  create(constant, elements && elements.isSplat() ? Storage::Arena : Storage::ReadOnly);
}

/// A cast between signed and unsigned elements, whose memory is the same.
LogicalResult StoragePlan::visitBitcast(tensor::BitcastOp cast) {
  if (device::getBufferType(cast.getType()) != device::getBufferType(cast.getSource().getType()))
    return cast.emitOpError() << "has no form on buffers";
  return assignOrCreate(cast.getResult(), cast.getSource()), success();
}

LogicalResult StoragePlan::visitLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError() << "works on buffers already; the storage of a step's tensors is not planned yet";
  for (OpOperand &init : op.getDpsInitsMutable())
    visitDestination(op, init, op.getTiedOpResult(&init), op.payloadUsesValueFromOperand(&init));
  elementwise.push_back(op);
  return success();
}

void StoragePlan::createAll(ValueRange values, Storage::Kind kind) {
  for (Value value : values)
    create(value, kind);
}

LogicalResult StoragePlan::visit(Operation *op) {
  auto visitInsert = [&](auto insert) {
    visitDestination(insert, insert.getDestMutable(), insert.getResult(), /*reads=*/true);
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::EmptyOp, tensor::ExtractOp, device::WriteOp, device::EmitOp, device::PrintOp, device::ContinueIfOp,
            device::YieldOp, scf::YieldOp, scf::ConditionOp>([](Operation *) { return success(); })
      .Case([&](device::GetNextOp next) { return createAll(next.getBatch(), Storage::ReadOnly), success(); })
      .Case([&](device::ReadOp read) { return visitRead(read), success(); })
      .Case([&](arith::ConstantOp constant) { return visitConstant(constant), success(); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto reshape) { return assignOrCreate(reshape.getResult(), reshape.getSrc()), success(); })
      .Case([&](tensor::BitcastOp cast) { return visitBitcast(cast); })
      .Case([&](tensor::ExtractSliceOp slice) { return visitExtract(slice), success(); })
      .Case([&](tensor::PadOp pad) { return visitPad(pad); })
      .Case([&](tensor::FromElementsOp elements) { return create(elements.getResult()), success(); })
      .Case([&](tensor::InsertSliceOp insert) { return visitInsert(insert), joinPart(insert), success(); })
      .Case([&](tensor::InsertOp insert) { return visitInsert(insert), success(); })
      .Case([&](linalg::LinalgOp linalgOp) { return visitLinalg(linalgOp); })
      // Any other overwrites its results, and its inputs are contiguous.
      .Case([&](DestinationStyleOpInterface other) { return createAll(other->getResults()), success(); })
      .Case([&](scf::ForOp forOp) { return visitFor(forOp); })
      .Case([&](scf::WhileOp whileOp) { return visitWhile(whileOp); })
      .Case([&](scf::IfOp ifOp) { return visitIf(ifOp); })
      .Default([&](Operation *) -> LogicalResult {
        if (llvm::none_of(op->getOperands(), isTensor) && llvm::none_of(op->getResults(), isTensor))
          return success();
        return op->emitOpError() << "has no form on buffers";
      });
}

void StoragePlan::visitDestination(Operation *op, OpOperand &init, Value result, bool reads) {
  Storage *source = lookup(init.get());
  if (!reads || !source) {
    create(result);
    return;
  }
  if (source->kind == Storage::Arena && mayOverwrite(source, op, &init)) {
    assign(result, source);
    return;
  }
  create(result);
  copies.insert(&init);
}

void StoragePlan::visitRead(device::ReadOp read) {
  StringAttr name = read.getVariableAttr().getAttr();
  Storage *storage = create(read.getValue(), Storage::Variable);
  storage->variable = name;
  reads[name].push_back(read);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Assigns a region argument to the storage of its initial value, or to a new one that the value is copied to.
void StoragePlan::visitCarried(OpOperand &init, Value argument) {
  Storage *source = lookup(init.get());
  if (source && source->kind == Storage::Arena && mayOverwrite(source, init.getOwner(), &init)) {
    assign(argument, source);
    return;
  }
  create(argument);
  if (source)
    copies.insert(&init);
}

LogicalResult StoragePlan::visitFor(scf::ForOp forOp) {
  for (auto [init, argument] : llvm::zip(forOp.getInitArgsMutable(), forOp.getRegionIterArgs()))
    if (isTensor(argument))
      visitCarried(init, argument);
  if (failed(visit(*forOp.getBody())))
    return failure();
  auto yield = cast<scf::YieldOp>(forOp.getBody()->getTerminator());
  for (auto [result, argument, operand] :
       llvm::zip(forOp.getResults(), forOp.getRegionIterArgs(), yield->getOpOperands())) {
    if (!isTensor(argument))
      continue;
    assign(result, lookup(argument));
    if (lookup(operand.get()) != lookup(argument))
      copies.insert(&operand);
  }
  return success();
}

/// Whether the condition of a loop forwards one of its arguments, once, so that the body's argument can share its
/// storage.
static bool forwardsArgument(OpOperand &operand) {
  auto argument = dyn_cast<BlockArgument>(operand.get());
  return argument && argument.getOwner() == operand.getOwner()->getBlock() &&
         llvm::count(operand.getOwner()->getOperands(), argument) == 1;
}

LogicalResult StoragePlan::visitWhile(scf::WhileOp whileOp) {
  for (auto [init, argument] : llvm::zip(whileOp.getInitsMutable(), whileOp.getBeforeArguments()))
    if (isTensor(argument))
      visitCarried(init, argument);
  if (failed(visit(*whileOp.getBeforeBody())))
    return failure();
  auto condition = whileOp.getConditionOp();
  for (auto [operand, argument] : llvm::zip(condition.getArgsMutable(), whileOp.getAfterArguments())) {
    if (!isTensor(argument))
      continue;
    Storage *source = lookup(operand.get());
    if (source && source->kind == Storage::Arena && forwardsArgument(operand)) {
      assign(argument, source);
      continue;
    }
    create(argument);
    copies.insert(&operand);
  }
  if (failed(visit(*whileOp.getAfterBody())))
    return failure();
  for (auto [result, argument] : llvm::zip(whileOp.getResults(), whileOp.getAfterArguments()))
    if (isTensor(argument))
      assign(result, lookup(argument));
  for (auto [operand, argument] : llvm::zip(whileOp.getYieldOp()->getOpOperands(), whileOp.getBeforeArguments()))
    if (isTensor(argument) && lookup(operand.get()) != lookup(argument))
      copies.insert(&operand);
  return success();
}

LogicalResult StoragePlan::visitIf(scf::IfOp ifOp) {
  for (Value result : ifOp.getResults())
    if (isTensor(result))
      create(result);
  for (Region *region : {&ifOp.getThenRegion(), &ifOp.getElseRegion()}) {
    if (region->empty())
      continue;
    if (failed(visit(region->front())))
      return failure();
    for (auto [result, operand] : llvm::zip(ifOp.getResults(), region->front().getTerminator()->getOpOperands()))
      if (isTensor(result))
        copies.insert(&operand);
  }
  return success();
}
