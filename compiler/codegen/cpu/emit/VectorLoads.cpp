// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/codegen/cpu/emit/VectorLoads.h"

using namespace mlir;
using namespace plumb;

void VectorLoads::enterBlock() {
  Block *current = state.builder.getInsertionBlock();
  if (block != current)
    loaded.clear();
  block = current;
}

Value VectorLoads::load(unsigned operand, Position position, int64_t width) {
  const FlatOperand &memory = state.flatOperands[operand];
  if (!isa<MemRefType>(memory.flat.getType()))
    return memory.flat;
  Value &value = loaded[{operand, position.dynamic.getAsOpaquePointer(), position.constant, width}];
  if (value)
    return value;
  LaneShape shape{state.plan.lanes, width, memory.inner[state.plan.laneLoop]};
  return value = loadLanes(state.builder, memory.flat, position, shape, state.target);
}

void VectorLoads::loadTransposed(const Point &point, unsigned operand, int64_t width) {
  Position base = point.operands[operand];
  int64_t count = state.counts.front(), lanes = state.plan.lanes;
  SmallVector<Value> rows;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    if (lane >= width) {
      rows.push_back(rows.front());
      continue;
    }
    int64_t step = lane * state.nest.stride(operand, state.plan.laneLoop);
    Position position{base.dynamic, base.constant + step};
    rows.push_back(
        loadLanes(state.builder, state.flatOperands[operand].flat, position, {lanes, count, 1}, state.target));
  }
  SmallVector<Value> columns = transposeSquare(state.builder, rows);
  for (int64_t step = 0; step < count; ++step)
    loaded[{operand, base.dynamic.getAsOpaquePointer(), base.constant + step, width}] = columns[step];
}
