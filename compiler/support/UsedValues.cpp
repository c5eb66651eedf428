// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/UsedValues.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace plumb;

llvm::SetVector<Value> plumb::getCapturedValues(Operation *op) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

llvm::SetVector<Value> plumb::getUsedValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

SmallVector<Value> plumb::getCapturedBuffers(Operation *op) {
  return llvm::filter_to_vector(getCapturedValues(op),
                                [](Value value) { return isa<BaseMemRefType>(value.getType()); });
}
