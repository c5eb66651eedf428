// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures plans: `plumbc --tune`.
//
// Codegen lists the plans that each kernel could have (`DumpPlans`). The kernels with the most expected cycles take
// part. Variant n of the program gives each of them its n-th plan, so that a few compilations serve all kernels.
// Variants run in turn, round after round, and each kernel times itself among its neighbours and on the program's own
// data. The plan with the largest median of a round's ratios is measured once more, all kernels' together, against the
// model's: a plan that is faster then, too, is kept.

#ifndef PLUMB_COMPILER_DRIVER_TUNE_H
#define PLUMB_COMPILER_DRIVER_TUNE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>

namespace plumb {

/// What a variant of the program is compiled with.
struct Variant {
  /// A file of plans; empty: none.
  llvm::StringRef plansFile;
  /// Where to list the plans that kernels could have; empty: nowhere.
  llvm::StringRef candidatesFile;
};

/// Compiles a variant, with timers, into an executable file.
using CompileVariant = llvm::function_ref<mlir::LogicalResult(const Variant &, llvm::SmallVectorImpl<char> &)>;

/// Measures for about `seconds` and keeps the best plans in `plansFile`, beside those that it holds for other kernels.
/// Returns a table of what was found. A variant that cannot be compiled has reported why; the error is empty then.
llvm::Expected<std::string> tunePlans(double seconds, llvm::StringRef plansFile, CompileVariant compile);

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_TUNE_H
