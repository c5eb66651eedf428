// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// value_and_grad against the function it names, and what a gradient passes otherwise than values do.

#include "dialects/net/ir/NetGradOps.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetGradOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerGradOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetGradOps.cpp.inc"
      >();
}

SmallVector<int64_t> ValueAndGradOp::getArgnumValues() {
  return llvm::map_to_vector(getArgnums().getAsRange<IntegerAttr>(),
                             [](IntegerAttr number) { return number.getInt(); });
}

SmallVector<StringRef> ValueAndGradOp::getWeightNames() {
  return llvm::map_to_vector(getWeights().getAsRange<FlatSymbolRefAttr>(),
                             [](FlatSymbolRefAttr name) { return name.getValue(); });
}

/// Appends the types of the function's tensor results.
static void appendTensors(TypeRange types, SmallVectorImpl<Type> &tensors) {
  llvm::copy_if(types, std::back_inserter(tensors), [](Type type) { return llvm::isa<RankedTensorType>(type); });
}

static bool isTensorOfNumbers(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor && (tensor.getElementType().isIntOrIndexOrFloat() || llvm::isa<ComplexType>(tensor.getElementType()));
}

/// Appends the types of the gradients; value_and_grad_c2 and the first half of _c3.
static LogicalResult appendGradients(ValueAndGradOp op, FunctionType type, SymbolTableCollection &symbols,
                                     SmallVectorImpl<Type> &types) {
  for (int64_t argnum : op.getArgnumValues()) {
    if (argnum < 0 || argnum >= type.getNumInputs() || !isTensorOfNumbers(type.getInput(argnum)))
      return op.emitOpError() << "differentiates by argument " << argnum
                              << ", which is no tensor argument of numbers of a function of type " << type;
    types.push_back(type.getInput(argnum));
  }
  for (auto name : op.getWeights().getAsRange<FlatSymbolRefAttr>()) {
    auto parameter = symbols.lookupNearestSymbolFrom<ParameterOp>(op, name);
    if (!parameter)
      return op.emitOpError() << "differentiates by " << name << ", which is no parameter";
    types.push_back(parameter.getType());
  }
  return success();
}

LogicalResult ValueAndGradOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!function)
    return emitOpError() << "names no function: " << getCalleeAttr();
  FunctionType type = function.getFunctionType();
  SmallVector<Type> operands(type.getInputs()), results(type.getResults());
  if (getSens())
    appendTensors(type.getResults(), operands);
  if (failed(appendGradients(*this, type, symbols, results)))
    return failure();
  auto fail = [&](StringRef what, TypeRange expected, TypeRange actual) {
    InFlightDiagnostic error = emitOpError()
                               << what << " types must be (" << expected << "), but are (" << actual << ")";
    error.attachNote(function.getLoc()) << "the function is declared here";
    return error;
  };
  if (TypeRange(operands) != TypeRange(getOperandTypes()))
    return fail("operand", operands, getOperandTypes());
  if (TypeRange(results) != TypeRange(getResultTypes()))
    return fail("result", results, getResultTypes());
  return success();
}

FailureOr<SmallVector<Value>> StopGradientOp::lowerToLinalg(OpBuilder &, ValueRange operands) {
  return SmallVector<Value>(operands);
}

LogicalResult StraightThroughOp::buildAdjoint(OpBuilder &, ValueRange dys, SmallVectorImpl<Value> &adjoints) {
  adjoints.assign({Value(), dys.front()});
  return success();
}

FailureOr<SmallVector<Value>> StraightThroughOp::lowerToLinalg(OpBuilder &, ValueRange operands) {
  return SmallVector<Value>{operands.front()};
}

} // namespace plumb::net
