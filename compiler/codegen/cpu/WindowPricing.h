// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What plans of convolutions cost: products, loads that windows share, and the
// registers that what is shared waits in. A window is a parallel and a
// reduction loop that move an input together. Where its reduction is the longer
// one (the rows and columns of backward weights), it is called a row.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_WINDOWPRICING_H
#define PLUMB_COMPILER_CODEGEN_CPU_WINDOWPRICING_H

#include "compiler/codegen/cpu/KernelPricing.h"

namespace plumb {

/// A parallel and a reduction loop that move an input together.
struct Window {
  unsigned parallel, reduction;
};

/// Prices plans of one convolution.
class WindowPricing {
public:
  explicit WindowPricing(const KernelPricing &pricing);

  /// Whether accumulators and, except in rows, one input's vectors of a turn
  /// and some of the other's fit in the registers.
  bool fits(const KernelPlan &plan) const;
  /// Whether accumulators and what one turn uses twice fit in the registers, in
  /// the order in which it is emitted.
  bool holds(const KernelPlan &plan) const;
  /// Cycles of the whole operation, its operands near.
  double price(const KernelPlan &plan) const;
  /// Cycles of all turns of a tile of that shape.
  double priceTurns(const KernelPlan &plan, const TileShape &shape) const;
  /// Turns that are emitted one after the other for each accumulator.
  int64_t countUnrolled(const KernelPlan &plan) const;
  /// How often the body of a reduction that is not unrolled is emitted: a short
  /// one of a long loop a few times, so that counting is little beside it.
  int64_t countRepeats(const KernelPlan &plan, unsigned reduction) const;
  /// The reduction that takes the smallest steps, besides the lanes; nothing where
  /// there is none.
  std::optional<unsigned> findInnermost(const KernelPlan &plan) const;
  /// Whether each iteration of `reduction`, a window's tap, is a product with a
  /// long sum, because registers are few.
  bool hasLongTurns(const KernelPlan &plan, unsigned reduction) const;
  /// Whether a tile's loop has a row.
  bool hasRow(const KernelPlan &plan) const;
  /// Whether a window's reduction is much longer than its parallel loop.
  bool isRow(const Window &window) const;
  /// The innermost row whose reduction can be counted by the places it meets.
  std::optional<WindowSlide> findSlide() const;
  /// How far `loop` moves the inputs at most.
  int64_t reach(unsigned loop) const;

  const KernelPricing &pricing;
  llvm::SmallVector<Window> windows;

private:
  int64_t countVectors(const KernelPlan &plan, unsigned input,
                       const TileShape &shape) const;
  llvm::SmallVector<int64_t> listPlaces(const KernelPlan &plan,
                                        unsigned input) const;
  double priceTurn(const KernelPlan &plan, const TileShape &shape) const;
  bool takesTaps(const KernelPlan &plan) const;
  double priceChain(const KernelPlan &plan) const;
  const LinearBound *findRow(const KernelPlan &plan) const;
  double countTurns(const KernelPlan &plan) const;
  int64_t countVariants(const RegisterTile &tile) const;

  const LinearNest &nest;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_WINDOWPRICING_H
