// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a contraction, each loop is tried as lanes with all operands that
// depend on it rearranged so that the loop is innermost:
//
//   y[n, oc, h, w] += x[n, ic, h+i, w+j] * k[oc, ic, i, j]      lanes: oc
//   → kt[ic, i, j, oc] = k;  yt[n, h, w, oc] += x · kt;  y = yt
//
// A trial is built as operations, priced by the planner that will emit them,
// copies included, and taken away again unless it is the best one. A bound on
// the arithmetic decides beforehand whether a trial is worth building, and what
// was found for a contraction holds for others of the same shapes.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PACKER_H
#define PLUMB_COMPILER_CODEGEN_CPU_PACKER_H

#include "compiler/codegen/common/CpuTarget.h"
#include "compiler/codegen/cpu/Scratch.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>
#include <map>

namespace plumb {

/// By operand: the dimension to move innermost, or -1 to leave it.
using PackingMoves = llvm::SmallVector<int64_t>;

/// What is rearranged, and whether halos get their zeros.
struct PackingForm {
  PackingMoves moves;
  bool fillsHalos = false;
};

/// What is best for a contraction.
struct PackingChoice {
  /// Nothing for the form in which it stands.
  std::optional<PackingForm> form;
  /// Nothing where no emitter takes it.
  std::optional<double> cycles;
};

/// What was found for the contractions of a module and one target. As an analysis,
/// it goes from pass to pass.
struct PackingChoices {
  explicit PackingChoices(mlir::Operation *) {}

  /// By all that a contraction's price depends on.
  std::map<llvm::SmallVector<const void *>, PackingChoice> known;
};

/// Rearranges one contraction, if that pays.
class Packer {
public:
  Packer(mlir::linalg::LinalgOp op, const CpuTarget &target, PackingChoices &choices);

  /// Returns the bytes of scratch memory that the result uses.
  int64_t run();
  /// Cycles of the form that run() would choose; nothing where no emitter takes the contraction.
  std::optional<double> price();

private:
  /// Operations that stand for the contraction in another form.
  struct Trial {
    llvm::SmallVector<mlir::linalg::LinalgOp> ops;
    llvm::SmallVector<mlir::Operation *> all;
    double cycles = 0;
    int64_t scratchBytes = 0;
  };

  llvm::SmallVector<const void *> getKey();
  const PackingChoice &choose();
  void findBest();
  std::optional<PackingMoves> findMoves(unsigned loop);
  double getBound(unsigned loop, const PackingMoves &moves);
  void consider(const PackingForm &form);
  std::optional<Trial> build(const PackingForm &form);
  mlir::Value moveInput(mlir::Value input, int64_t dim, Scratch &scratch, Trial &trial);
  mlir::Value fillHalo(device::HaloOp halo, Scratch &scratch, Trial &trial);
  void discard(Trial &trial);

  mlir::linalg::LinalgOp op;
  const CpuTarget &target;
  PackingChoices &choices;
  mlir::IRRewriter rewriter;
  mlir::linalg::FillOp fill;
  /// Cycles of the contraction as it stands.
  std::optional<double> plain;
  /// The best trial so far and what the next one must stay below.
  Trial best;
  std::optional<PackingForm> bestForm;
  double limit = std::numeric_limits<double>::infinity();
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PACKER_H
