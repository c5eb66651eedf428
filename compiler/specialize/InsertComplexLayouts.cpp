// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Gives the tensors that a program shares with its host the form in which the host has complex numbers: a real tensor
// with the real and the imaginary part of each number side by side, along a last axis of two.
//
//   func.func @step(%x: tensor<4xcomplex<f32>>)   =>   func.func @step(%h: tensor<4x2xf32>)
//                                                        %re = slice of %h   %im = slice of %h
//                                                        %x = net.complex %re, %im
//
// These are entries' columns and results, and parameters with all that reads or writes them. Inside, the program
// computes with complex numbers as before, which the next pass (ExpandComplex) rewrites: the slices and stacks written
// here are then what converts between both forms. Tests: test/compiler/specialize/insert_complex_layouts*.mlir.

#include "compiler/specialize/Passes.h"

#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetMathOps.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace plumb {
#define GEN_PASS_DEF_INSERTCOMPLEXLAYOUTSPASS
#include "compiler/specialize/Passes.h.inc"

namespace {

using namespace mlir;
using net::isComplexTensor;

/// The type as the host has it: the parts of each number along a last axis.
RankedTensorType getHostType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape.push_back(2);
  return RankedTensorType::get(shape, cast<ComplexType>(tensor.getElementType()).getElementType());
}

/// The complex tensor whose parts lie along the last axis of `value`.
Value join(OpBuilder &builder, Location loc, Value value, RankedTensorType type) {
  Value parts[2];
  for (int64_t part : {0, 1}) {
    SmallVector<int64_t> begin(type.getRank() + 1, 0), end(type.getShape()), strides(begin.size(), 1);
    begin.back() = part;
    end.push_back(part + 1);
    Value slice = net::SliceOp::create(builder, loc, value, begin, end, strides);
    parts[part] = net::ReshapeOp::create(builder, loc, slice, type.getShape());
  }
  return net::ComplexOfOp::create(builder, loc, parts[0], parts[1]);
}

/// The parts of `value` along a last axis.
Value lay(OpBuilder &builder, Location loc, Value value) {
  Value parts[] = {net::RealOp::create(builder, loc, value), net::ImagOp::create(builder, loc, value)};
  return net::StackOp::create(builder, loc, ValueRange(parts), cast<RankedTensorType>(value.getType()).getRank());
}

/// Has `value`, which is complex, given as the host has it, and joined for those who use it.
void joinUses(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  value.setType(getHostType(type));
  SmallPtrSet<Operation *, 4> own;
  Value joined = join(builder, loc, value, type);
  for (Value part : joined.getDefiningOp()->getOperands())
    own.insert(part.getDefiningOp()->getOperand(0).getDefiningOp());
  value.replaceAllUsesExcept(joined, own);
}

/// An initial value in the host's form; null where the rule is of no use for complex numbers.
Attribute convertInitialValue(Attribute value, RankedTensorType type) {
  if (auto rule = dyn_cast<net::InitAttr>(value))
    return rule.getKind() == "zero" || rule.getKind() == "zeros" ? value : Attribute();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return {};
  ArrayRef<char> bytes = dense.getRawData();
  SmallVector<char> all;
  int64_t copies = dense.isSplat() ? dense.getNumElements() : 1;
  for (int64_t i = 0; i < copies; ++i)
    all.append(bytes.begin(), bytes.end());
  return DenseElementsAttr::getFromRawBuffer(type, all);
}

LogicalResult convertParameter(net::ParameterOp parameter) {
  RankedTensorType type = getHostType(parameter.getType());
  Attribute value = convertInitialValue(parameter.getInit(), type);
  if (!value)
    return parameter.emitOpError("is complex and has an initial value by a rule; give the numbers themselves");
  parameter.setInitAttr(value);
  parameter.setTypeAttr(TypeAttr::get(type));
  return success();
}

/// Lays out the complex operands of `op`.
void layOperands(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isComplexTensor(operand.get().getType()))
      operand.set(lay(builder, op->getLoc(), operand.get()));
}

void convertEntry(net::EntryOp entry, func::FuncOp function) {
  Block &body = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (BlockArgument argument : body.getArguments())
    if (isComplexTensor(argument.getType()))
      joinUses(builder, argument.getLoc(), argument);
  Operation *result = body.getTerminator();
  layOperands(result);
  function.setType(builder.getFunctionType(body.getArgumentTypes(), result->getOperandTypes()));
  entry.setInputTypesAttr(builder.getTypeArrayAttr(SmallVector<Type>(body.getArgumentTypes())));
}

/// Gradients by complex parameters come as parameters lie.
void convertGradients(net::ValueAndGradOp op) {
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  for (Value gradient : op.getResults().take_back(op.getWeights().size()))
    if (isComplexTensor(gradient.getType()))
      joinUses(builder, op.getLoc(), gradient);
}

/// Fails where the host would have no form for a complex number.
LogicalResult convertState(Operation *op) {
  OpBuilder builder(op);
  if (auto gradient = dyn_cast<net::ValueAndGradOp>(op))
    convertGradients(gradient);
  if (auto read = dyn_cast<net::ReadOp>(op); read && isComplexTensor(read.getValue().getType())) {
    builder.setInsertionPointAfter(op);
    joinUses(builder, op->getLoc(), read.getValue());
  }
  if (isa<net::AssignOp>(op))
    layOperands(op);
  if (isa<net::PrintOp>(op) && llvm::any_of(op->getOperandTypes(), isComplexTensor))
    return op->emitOpError("cannot print complex numbers; print their real and imaginary parts");
  return success();
}

struct InsertComplexLayouts : impl::InsertComplexLayoutsPassBase<InsertComplexLayouts> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto parameter : module.getOps<net::ParameterOp>())
      if (isComplexTensor(parameter.getType()) && failed(convertParameter(parameter)))
        return signalPassFailure();
    WalkResult walk = module.walk([](Operation *op) { return WalkResult(convertState(op)); });
    if (walk.wasInterrupted())
      return signalPassFailure();
    SymbolTable symbols(module);
    for (auto entry : module.getOps<net::EntryOp>()) {
      auto callee = dyn_cast<FlatSymbolRefAttr>(entry.getCallee());
      auto function = callee ? symbols.lookup<func::FuncOp>(callee.getValue()) : func::FuncOp();
      if (function && function.getBody().hasOneBlock())
        convertEntry(entry, function);
    }
  }
};

} // namespace
} // namespace plumb
