// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the planners of products, reductions and elementwise work share: facts
// about one operation and the price of a plan for it in cycles (see
// KernelPlanner.h for the model).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_KERNELPRICING_H
#define PLUMB_COMPILER_CODEGEN_CPU_KERNELPRICING_H

#include "compiler/codegen/cpu/KernelPlanner.h"
#include "compiler/codegen/cpu/Tiles.h"

#include "llvm/ADT/SmallSet.h"

namespace plumb {

/// From one multiply-add to the next that needs its result.
constexpr double kFmaLatency = 4;
/// A chain that is as long as the work beside it is late now and then, by link.
constexpr double kChainSlack = 0.5;
/// Combining the lanes of one accumulator.
constexpr double kLaneSumCycles = 2.5;
/// What an emitted operation may cost: compile time, and cache.
constexpr double kCodeCycles = 1;

/// Facts about one operation, and prices of its plans.
class KernelPricing {
public:
  KernelPricing(mlir::linalg::LinalgOp op, const LinearNest &nest,
                const CpuTarget &target);

  /// Lanes of a parallel loop must be neighbours in every output; lanes of a
  /// reduction must be combinable.
  bool canBeLanes(unsigned loop) const;
  /// Lanes of the vectors along `loop`, a power of two.
  int64_t lanesFor(unsigned loop) const;
  bool hasReductions() const;

  /// A plan of one vector along `loop`, without tiles.
  KernelPlan startPlan(unsigned loop) const;
  /// Whether accumulators, the vectors that every step of the first tile uses
  /// again, and one vector on its way fit in the registers.
  bool fits(const KernelPlan &plan) const;
  /// Cycles of one load of `input`, by how its lanes lie in memory.
  double loadPrice(const KernelPlan &plan, unsigned input) const;
  /// Cycles of the whole operation.
  double price(const KernelPlan &plan) const;

  mlir::linalg::LinalgOp op;
  const LinearNest &nest;
  const CpuTarget &target;
  unsigned inputs, outputs;
  bool usesIndices;
  /// Inputs that only give the nest its shape, such as a pooling window.
  llvm::SmallDenseSet<unsigned> unused;
  /// How partial results of a reduction combine, if they may.
  std::optional<CombiningKinds> combining;
  /// Vector operations of one replay of the body.
  int64_t operations;
  int64_t elementBits = 32;

private:
  double priceTile(const KernelPlan &plan, const TileShape &shape) const;
  int64_t countLoads(const KernelPlan &plan, unsigned input,
                     const TileShape &shape) const;
  bool slides(const KernelPlan &plan, unsigned input) const;
  double priceTurn(const KernelPlan &plan) const;
  int64_t reductionTurns(const KernelPlan &plan) const;
};

/// The cheapest plan that was offered.
class BestPlan {
public:
  void offer(const KernelPlan &plan, double cycles) {
    if (!best || cycles < best->cycles)
      best = PricedPlan{plan, cycles};
  }
  const std::optional<PricedPlan> &get() const { return best; }

private:
  std::optional<PricedPlan> best;
};

/// Offers the best plan of products and convolutions.
void planContraction(const KernelPricing &pricing, BestPlan &best);

/// Offers the best plan of other bodies with reduction loops; of one that reads an input once, with few tiles at
/// once, so that memory is read in few streams.
void planReduction(const KernelPricing &pricing, bool readsOnce, BestPlan &best);

/// Offers the best plan of bodies with parallel loops only.
void planElementwise(const KernelPricing &pricing, BestPlan &best);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_KERNELPRICING_H
