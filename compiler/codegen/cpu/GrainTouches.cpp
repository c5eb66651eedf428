// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/GrainTouches.h"

#include "compiler/codegen/common/Places.h"
#include "compiler/codegen/cpu/BufferParts.h"
#include "compiler/codegen/cpu/VectorMemory.h"
#include "compiler/codegen/cpu/VectorizeModule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

int64_t plumb::getGrains(func::FuncOp function) {
  auto grains = function->getAttrOfType<IntegerAttr>("device.grains");
  return grains ? grains.getInt() : 0;
}

ArrayRef<int64_t> plumb::getSteps(func::FuncOp grains) {
  return grains->getAttrOfType<DenseI64ArrayAttr>("device.steps").asArrayRef();
}

func::FuncOp GrainTouches::getCallee(func::CallOp call) const {
  return symbols.lookup<func::FuncOp>(call.getCallee());
}

func::FuncOp GrainTouches::getPart(func::FuncOp grains) const {
  auto part = grains->getAttrOfType<FlatSymbolRefAttr>("device.part");
  return part ? symbols.lookup<func::FuncOp>(part.getValue()) : grains;
}

bool GrainTouches::isKernel(func::FuncOp function) const {
  func::FuncOp part = getPart(function);
  auto steps = function->getAttrOfType<DenseI64ArrayAttr>("device.steps");
  bool isShared = getGrains(function) != 0;
  return part && !part.isDeclaration() && part.getNumArguments() == function.getNumArguments() &&
         (!isShared || (steps && steps.size() == int64_t(function.getNumArguments())));
}

/// Which arguments operations of `function` write.
static llvm::BitVector findWritten(func::FuncOp function) {
  llvm::BitVector written(function.getNumArguments());
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    for (Value output : op.getDpsInits())
      if (BlockArgument argument = getKernelArgument(output))
        written.set(argument.getArgNumber());
  return written;
}

const llvm::BitVector &GrainTouches::findUnstored(func::FuncOp function) {
  auto [known, isNew] = unstored.try_emplace(function);
  if (!isNew)
    return known->second;
  llvm::BitVector found(function.getNumArguments());
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    for (Value buffer : plumb::findUnstored(op, target))
      if (BlockArgument argument = getKernelArgument(buffer))
        found.set(argument.getArgNumber());
  return unstored[function] = found;
}

Touches GrainTouches::getTouches(func::CallOp call) {
  func::FuncOp callee = getCallee(call), part = getPart(callee);
  llvm::BitVector written = findWritten(part);
  const llvm::BitVector &unstored = findUnstored(part);
  Touches touches;
  for (auto [number, operand] : llvm::enumerate(call.getOperands())) {
    auto whole = dyn_cast<MemRefType>(operand.getType());
    if (!whole || unstored.test(number))
      continue;
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)whole.getStridesAndOffset(strides, offset);
    int64_t bytes = getElementBytes(whole);
    auto type = cast<MemRefType>(part.getArgument(number).getType());
    Touch touch{getRoot(operand)};
    touch.begin = offset * bytes;
    touch.end = (offset + getSpan(type)) * bytes;
    touch.step = getGrains(callee) ? getSteps(callee)[number] : 0;
    touch.writes = written[number];
    touches.push_back(touch);
  }
  return touches;
}

/// Whether one of them writes what the other one touches.
static bool clash(const Touch &a, const Touch &b) {
  return (a.writes || b.writes) && !areApart(a.root, b.root);
}

bool plumb::conflict(ArrayRef<Touch> some, ArrayRef<Touch> others) {
  return llvm::any_of(some, [&](const Touch &a) {
    return llvm::any_of(others, [&](const Touch &b) { return clash(a, b); });
  });
}

bool plumb::isInStep(const Touch &a, const Touch &b) {
  if (a.root != b.root || a.step == 0 || a.step != b.step)
    return false;
  int64_t begin = a.begin / a.step * a.step;
  return b.begin >= begin && std::max(a.end, b.end) <= begin + a.step;
}

int64_t plumb::countBytes(ArrayRef<Touch> touches) {
  llvm::MapVector<Value, int64_t> steps;
  for (const Touch &touch : touches)
    steps[touch.root] = std::max(steps[touch.root], touch.step);
  int64_t sum = 0;
  for (auto [root, step] : steps)
    sum += step;
  return sum;
}
