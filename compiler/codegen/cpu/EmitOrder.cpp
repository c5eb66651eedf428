// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of multiply-adds in one turn of a loop over windows. Taps share
// inputs: done tap by tap, all inputs wait in registers from one tap to the next.
// Where that takes more of them, each input is used by all its taps at once:
//
//   a0 += x0 k0   a1 += x1 k0   a2 += x2 k0   a0 += x1 k1   a1 += x2 k1 …
//   becomes
//   a0 += x0 k0   a1 += x1 k0   a0 += x1 k1   a2 += x2 k0   a1 += x2 k1 …
//
// What most of them need, here the taps' weights, then waits instead. Each
// accumulator is fed in the same order as before.

#include "compiler/codegen/cpu/Emitter.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace plumb;

using Products = SmallVector<vector::FMAOp>;

namespace {

/// Puts the operations of one block in order.
class TurnOrder {
public:
  TurnOrder(Block &block, int64_t registers) : block(block), registers(registers) {}

  void run();

private:
  void place(Operation *op);

  Block &block;
  int64_t registers;
  llvm::SmallDenseSet<Operation *> placed;
};

} // namespace

static std::array<Value, 2> getFactors(vector::FMAOp product) {
  return {product.getLhs(), product.getRhs()};
}

/// The most factors that wait between their first product and their last one.
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

/// Sums that are in registers all the time.
static int64_t countSums(const Products &products) {
  return llvm::count_if(products, [&](vector::FMAOp product) {
    return !llvm::is_contained(products, product.getAcc().getDefiningOp<vector::FMAOp>());
  });
}

/// The products factor by factor, those that are used most in front: each as soon
/// as its factors and the sum before it are there.
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

/// Puts `op` behind all that is placed, and what it needs before it.
void TurnOrder::place(Operation *op) {
  if (!op || op->getBlock() != &block || !placed.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    place(operand.getDefiningOp());
  op->moveBefore(block.getTerminator());
}

void TurnOrder::run() {
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
  // One vector is on its way.
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

void plumb::orderTurn(Block &block, int64_t registers) {
  TurnOrder(block, registers).run();
}
