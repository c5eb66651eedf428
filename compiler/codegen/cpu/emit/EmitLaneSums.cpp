// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines the lanes of accumulators where lanes reduce. As many accumulators as there are lanes are combined together,
// halves of two at a time, until one vector holds a result of each:
//
//   a0 a1 a2 a3, b0 b1 b2 b3   ->   a0+a2 a1+a3 b0+b2 b1+b3
//
// Results that are contiguous in memory are stored as that vector.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace plumb;

/// Bits within which lane shuffles are cheap.
constexpr int64_t kCheapBits = 128;

namespace {

/// Combines the lanes of vectors of one type.
class LaneTree {
public:
  LaneTree(ImplicitLocOpBuilder &builder, vector::CombiningKind kind, VectorType type)
      : builder(builder), kind(kind), lanes(type.getNumElements()),
        cheapLanes(std::min(lanes, kCheapBits / type.getElementTypeBitWidth())) {}

  /// A vector whose lane i combines all lanes of `vectors[i]`, for up to as many vectors as there are lanes; a scalar
  /// for one vector.
  Value run(ArrayRef<Value> vectors);

private:
  Value join(Value a, Value b, int64_t half, int64_t within);
  Value pick(Value a, Value b, int64_t half, int64_t within, bool isSecond);

  ImplicitLocOpBuilder &builder;
  vector::CombiningKind kind;
  int64_t lanes, cheapLanes;
};

} // namespace

/// From each group of `within` lanes of `a`, and then of `b`, the first or the second halves of `half` lanes.
Value LaneTree::pick(Value a, Value b, int64_t half, int64_t within, bool isSecond) {
  SmallVector<int64_t> mask;
  for (int64_t stretch = 0; stretch < lanes; stretch += within)
    for (int64_t source : {int64_t(0), lanes})
      for (int64_t pair = 0; pair < within; pair += 2 * half)
        for (int64_t lane = 0; lane < half; ++lane)
          mask.push_back(source + stretch + pair + isSecond * half + lane);
  return vector::ShuffleOp::create(builder, a, b, mask);
}

Value LaneTree::join(Value a, Value b, int64_t half, int64_t within) {
  return vector::makeArithReduction(builder, builder.getLoc(), kind, pick(a, b, half, within, false),
                                    pick(a, b, half, within, true));
}

Value LaneTree::run(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vector::ReductionOp::create(builder, kind, vectors[0], arith::FastMathFlags::reassoc);
  SmallVector<Value> level(vectors);
  level.resize(lanes);
  auto joinAll = [&](int64_t half, int64_t within, int64_t distance) {
    for (int64_t lane = 0; lane + distance < lanes; ++lane) {
      if (!level[lane])
        continue;
      Value other = std::exchange(level[lane + distance], Value());
      level[lane] = join(level[lane], other ? other : level[lane], half, within);
    }
  };
  // Vectors are paired so that their results end up in the order of `vectors`.
  for (int64_t half = lanes / 2; half >= cheapLanes; half /= 2)
    joinAll(half, lanes, cheapLanes * (lanes / 2 / half));
  for (int64_t half = cheapLanes / 2; half >= 1; half /= 2)
    joinAll(half, cheapLanes, cheapLanes / 2 / half);
  return level.front();
}

/// Combines `sum`, a vector or a scalar, with the start of the result: the initial value, or the contents of memory.
Value Emitter::addStart(unsigned result, Value sum, Position position, int64_t width) {
  auto type = dyn_cast<VectorType>(sum.getType());
  Value start = initial[result], flat = flatOperands[outputOperand(result)].flat;
  if (start && type)
    start = broadcastTo(builder, start, plan.lanes);
  if (!start || isFirstBlock) {
    Value before = type ? loadLanes(builder, flat, position, {plan.lanes, width, 1}, target)
                        : memref::LoadOp::create(builder, flat, position.materialize(builder)).getResult();
    start = start ? arith::SelectOp::create(builder, isFirstBlock, start, before).getResult() : before;
  }
  return vector::makeArithReduction(builder, builder.getLoc(), (*plan.combining)[result], sum, start);
}

/// Stores lane i of `sums`, or the scalar that it is, at `positions[i]`.
void Emitter::storeSums(unsigned result, Value sums, ArrayRef<Position> positions) {
  Value flat = flatOperands[outputOperand(result)].flat;
  bool areNeighbours = llvm::all_of(llvm::enumerate(positions), [&](auto position) {
    return position.value().dynamic == positions[0].dynamic &&
           position.value().constant == positions[0].constant + int64_t(position.index());
  });
  int64_t width = positions.size();
  if (areNeighbours && width > 1)
    return storeLanes(builder, addStart(result, sums, positions[0], width), flat, positions[0], {plan.lanes, width, 1},
                      target);
  for (auto [lane, position] : llvm::enumerate(positions)) {
    Value sum =
        isa<VectorType>(sums.getType()) ? vector::ExtractOp::create(builder, sums, int64_t(lane)).getResult() : sums;
    memref::StoreOp::create(builder, addStart(result, sum, position, 1), flat, position.materialize(builder));
  }
}

void Emitter::finishLanes(const Point &point, ArrayRef<Value> accumulators) {
  for (unsigned result = 0; result < outputs(); ++result)
    for (size_t first = 0; first < slots.size(); first += plan.lanes) {
      size_t end = std::min<size_t>(first + plan.lanes, slots.size());
      SmallVector<Value> vectors;
      SmallVector<Position> positions;
      for (size_t slot = first; slot < end; ++slot) {
        vectors.push_back(accumulators[indexOf(slot, result)]);
        positions.push_back(pointOf(point, slots[slot]).operands[outputOperand(result)]);
      }
      LaneTree tree(builder, (*plan.combining)[result], cast<VectorType>(vectors[0].getType()));
      storeSums(result, tree.run(vectors), positions);
    }
}
