// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries each loop of a contraction as lanes, with all operands that depend on the loop rearranged so that it is
// innermost:
//
//   y[n, oc, h, w] += x[n, ic, h+i, w+j] * k[oc, ic, i, j]      lanes: oc
//   → kt[ic, i, j, oc] = k;  yt[n, h, w, oc] += x · kt;  y = yt
//
// A form is built as operations whose cycles the planner estimates, copies included, and erased again unless it is the
// best one. A lower bound on its cycles decides beforehand whether building it is worth while, and contractions of
// equal shapes share the result.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_PACKER_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_PACKER_H

#include "compiler/codegen/common/Scratch.h"
#include "compiler/target/CpuTarget.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>
#include <map>

namespace plumb {

/// By operand: the dimension to move innermost, or -1 to leave it.
using PackingMoves = llvm::SmallVector<int64_t>;

/// The operands that are rearranged, and whether halos are copied with their zeros.
struct PackingForm {
  PackingMoves moves;
  bool fillsHalos = false;
};

/// The best form of a contraction.
struct PackingChoice {
  /// Nothing: the original form.
  std::optional<PackingForm> form;
  /// Nothing: no vector code can be emitted.
  std::optional<double> cycles;
};

/// The best forms of a module's contractions for one target. As an analysis, it is passed from pass to pass.
struct PackingChoices {
  explicit PackingChoices(mlir::Operation *) {}

  /// By everything that determines a contraction's cycles.
  std::map<llvm::SmallVector<const void *>, PackingChoice> known;
};

/// Rearranges one contraction, if that saves cycles.
class Packer {
public:
  Packer(mlir::linalg::LinalgOp op, const CpuTarget &target, PackingChoices &choices);

  /// Returns the bytes of scratch memory that the chosen form uses.
  int64_t run();
  /// Cycles of the form that run() would choose; nothing where no vector code can be emitted.
  std::optional<double> getCycles();

private:
  /// The operations of the contraction in another form.
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
  bool deservesScratch(const Trial &trial) const;
  void consider(const PackingForm &form);
  mlir::Value moveInput(mlir::Value input, int64_t dim, Scratch &scratch, Trial &trial);
  mlir::Value fillHalo(device::HaloOp halo, Scratch &scratch, Trial &trial);
  mlir::Value moveOutput(int64_t dim, Scratch &scratch, Trial &trial);
  void moveOutputBack(mlir::Value buffer, int64_t dim, Trial &trial);
  mlir::Value rearrange(mlir::OpOperand &operand, const PackingForm &form, Scratch &scratch, Trial &trial);
  void buildContraction(llvm::ArrayRef<mlir::Value> operands, const PackingForm &form, Trial &trial);
  mlir::LogicalResult estimate(Trial &trial) const;
  std::optional<Trial> build(const PackingForm &form);
  void discard(Trial &trial);

  mlir::linalg::LinalgOp op;
  const CpuTarget &target;
  PackingChoices &choices;
  mlir::IRRewriter rewriter;
  mlir::linalg::FillOp fill;
  /// Cycles of the original form.
  std::optional<double> plain;
  /// The best form so far, and the cycles that another one must stay below.
  Trial best;
  std::optional<PackingForm> bestForm;
  double limit = std::numeric_limits<double>::infinity();
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_PACKER_H
