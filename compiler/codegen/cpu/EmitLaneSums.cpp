// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where lanes reduce, the lanes of each accumulator become one number. As many
// accumulators as there are lanes are summed together, halves of two at a time,
// until one vector holds a number of each:
//
//   a0 a1 a2 a3, b0 b1 b2 b3   ->   a0+a2 a1+a3 b0+b2 b1+b3
//
// Numbers that are neighbours in memory are stored as that vector.

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace plumb;

/// Bits within which a processor moves lanes for less.
constexpr int64_t kCheapBits = 128;

namespace {

/// Combines the lanes of vectors of one type.
class LaneTree {
public:
  LaneTree(ImplicitLocOpBuilder &builder, vector::CombiningKind kind,
           VectorType type)
      : builder(builder), kind(kind), lanes(type.getNumElements()),
        chunk(std::min(lanes, kCheapBits / type.getElementTypeBitWidth())) {}

  /// A vector whose lane i is all lanes of `vectors[i]` together, of up to as many as
  /// there are lanes; of one, a number.
  Value run(ArrayRef<Value> vectors);

private:
  Value join(Value a, Value b, int64_t half, int64_t within);
  Value pick(Value a, Value b, int64_t half, int64_t within, bool isSecond);

  ImplicitLocOpBuilder &builder;
  vector::CombiningKind kind;
  int64_t lanes, chunk;
};

} // namespace

/// From each stretch of `within` lanes of `a`, and then of `b`, the first or the
/// second halves of `half` lanes.
Value LaneTree::pick(Value a, Value b, int64_t half, int64_t within,
                     bool isSecond) {
  SmallVector<int64_t> mask;
  for (int64_t stretch = 0; stretch < lanes; stretch += within)
    for (int64_t source : {int64_t(0), lanes})
      for (int64_t pair = 0; pair < within; pair += 2 * half)
        for (int64_t lane = 0; lane < half; ++lane)
          mask.push_back(source + stretch + pair + isSecond * half + lane);
  return vector::ShuffleOp::create(builder, a, b, mask);
}

Value LaneTree::join(Value a, Value b, int64_t half, int64_t within) {
  return vector::makeArithReduction(builder, builder.getLoc(), kind,
                                    pick(a, b, half, within, false),
                                    pick(a, b, half, within, true));
}

Value LaneTree::run(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vector::ReductionOp::create(builder, kind, vectors[0],
                                       arith::FastMathFlags::reassoc);
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
  // Which two are joined decides where each ends: in the order of `vectors`.
  for (int64_t half = lanes / 2; half >= chunk; half /= 2)
    joinAll(half, lanes, chunk * (lanes / 2 / half));
  for (int64_t half = chunk / 2; half >= 1; half /= 2)
    joinAll(half, chunk, chunk / 2 / half);
  return level.front();
}

/// Combines `sum`, a vector or a number, with what the result starts from: the
/// initial value, or what is in memory.
Value Emitter::addStart(unsigned result, Value sum, Position place,
                        int64_t width) {
  auto type = dyn_cast<VectorType>(sum.getType());
  Value start = initial[result], flat = walks[outputOperand(result)].flat;
  if (start && type)
    start = broadcastTo(builder, start, plan.lanes);
  if (!start || isFirstBlock) {
    Value before = type ? loadLanes(builder, flat, place, {plan.lanes, width, 1}, target)
                        : memref::LoadOp::create(builder, flat, place.materialize(builder))
                              .getResult();
    start = start ? arith::SelectOp::create(builder, isFirstBlock, start, before)
                        .getResult()
                  : before;
  }
  return vector::makeArithReduction(builder, builder.getLoc(),
                                    (*plan.combining)[result], sum, start);
}

/// Stores lane i of `sums`, or the number that it is, at `places[i]`.
void Emitter::storeSums(unsigned result, Value sums, ArrayRef<Position> places) {
  Value flat = walks[outputOperand(result)].flat;
  bool areNeighbours = llvm::all_of(llvm::enumerate(places), [&](auto place) {
    return place.value().dynamic == places[0].dynamic &&
           place.value().constant == places[0].constant + int64_t(place.index());
  });
  int64_t width = places.size();
  if (areNeighbours && width > 1)
    return storeLanes(builder, addStart(result, sums, places[0], width), flat,
                      places[0], {plan.lanes, width, 1}, target);
  for (auto [lane, place] : llvm::enumerate(places)) {
    Value sum = isa<VectorType>(sums.getType())
                    ? vector::ExtractOp::create(builder, sums, int64_t(lane)).getResult()
                    : sums;
    memref::StoreOp::create(builder, addStart(result, sum, place, 1), flat,
                            place.materialize(builder));
  }
}

void Emitter::finishLanes(const Point &point, ArrayRef<Value> accumulators) {
  for (unsigned result = 0; result < outputs(); ++result)
    for (size_t first = 0; first < cells.size(); first += plan.lanes) {
      size_t end = std::min<size_t>(first + plan.lanes, cells.size());
      SmallVector<Value> vectors;
      SmallVector<Position> places;
      for (size_t cell = first; cell < end; ++cell) {
        vectors.push_back(accumulators[slot(cell, result)]);
        places.push_back(pointOf(point, cells[cell]).operands[outputOperand(result)]);
      }
      LaneTree tree(builder, (*plan.combining)[result],
                    cast<VectorType>(vectors[0].getType()));
      storeSums(result, tree.run(vectors), places);
    }
}
