// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders the multiply-adds in one iteration of a loop over a sliding window. Taps share inputs: in the order of taps,
// all inputs are live from one tap to the next. Where there are too few registers for that, all taps use an input at
// once:
//
//   a0 += x0 k0   a1 += x1 k0   a2 += x2 k0   a0 += x1 k1   a1 += x2 k1 …
//   becomes
//   a0 += x0 k0   a1 += x1 k0   a0 += x1 k1   a2 += x2 k0   a1 += x2 k1 …
//
// The operands with the most uses, here the weights of the taps, stay live instead. The order of the additions to each
// accumulator does not change.

#include "compiler/codegen/cpu/emit/Emitter.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

using Products = SmallVector<vector::FMAOp>;

namespace {

/// Orders the operations of one block.
class IterationOrder {
public:
  IterationOrder(Block &block, int64_t registers) : block(block), registers(registers) {}

  void run();

private:
  void place(Operation *op);

  Block &block;
  int64_t registers;
  llvm::SmallDenseSet<Operation *> placed;
};

} // namespace

static std::array<Value, 2> getFactors(vector::FMAOp product) { return {product.getLhs(), product.getRhs()}; }

/// The largest number of factors that are live between their first and last use.
static int64_t countWaiting(const Products &products) {
  llvm::MapVector<Value, std::pair<unsigned, unsigned>> lives;
  for (auto [at, product] : llvm::enumerate(products))
    for (Value factor : getFactors(product))
      lives.insert({factor, {at, at}}).first->second.second = at;
  SmallVector<int64_t> changes(products.size() + 1);
  for (auto &[factor, life] : lives) {
    ++changes[life.first];
    --changes[life.second + 1];
  }
  int64_t waiting = 0, most = 0;
  for (int64_t change : changes)
    most = std::max(most, waiting += change);
  return most;
}

/// Accumulators, which are live all the time.
static int64_t countSums(const Products &products) {
  return llvm::count_if(products, [&](vector::FMAOp product) {
    return !llvm::is_contained(products, product.getAcc().getDefiningOp<vector::FMAOp>());
  });
}

/// The products ordered by factor, those with the most uses first; each comes as soon as its factors and its
/// accumulator are available.
static Products arrange(const Products &products) {
  llvm::MapVector<Value, unsigned> uses;
  llvm::SmallPtrSet<Operation *, 32> waiting;
  for (vector::FMAOp product : products) {
    waiting.insert(product);
    for (Value factor : getFactors(product))
      ++uses[factor];
  }
  auto factors = uses.takeVector();
  llvm::stable_sort(factors, [](const auto &a, const auto &b) { return a.second > b.second; });
  llvm::SmallDenseSet<Value> there;
  Products order;
  for (auto [factor, count] : factors) {
    there.insert(factor);
    for (vector::FMAOp product : products)
      if (waiting.contains(product) && !waiting.contains(product.getAcc().getDefiningOp()) &&
          llvm::all_of(getFactors(product), [&](Value each) { return there.contains(each); })) {
        waiting.erase(product);
        order.push_back(product);
      }
  }
  return order;
}

/// Moves `op` behind the operations that are placed, after its operands.
void IterationOrder::place(Operation *op) {
  if (!op || op->getBlock() != &block || !placed.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    place(operand.getDefiningOp());
  op->moveBefore(block.getTerminator());
}

void IterationOrder::run() {
  SmallVector<Operation *> all;
  Products products;
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() != 0 || hasEffect<MemoryEffects::Write>(&op))
      return;
    all.push_back(&op);
    if (auto product = dyn_cast<vector::FMAOp>(op))
      products.push_back(product);
  }
  int64_t waiting = countWaiting(products);
  // One more register holds the vector that is loaded next.
  if (waiting + countSums(products) + 1 <= registers)
    return;
  Products order = arrange(products);
  if (order.size() != products.size() || countWaiting(order) >= waiting)
    return;
  for (vector::FMAOp product : order)
    place(product);
  for (Operation *op : all)
    place(op);
}

void plumb::orderIteration(Block &block, int64_t registers) { IterationOrder(block, registers).run(); }
