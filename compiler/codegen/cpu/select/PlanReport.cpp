// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains a difference in cycles by asking the cost model again for machines on which one thing is free: the cycles
// that a plan would save if loads took no time are its cycles of loads, and so on.

#include "compiler/codegen/cpu/select/PlanReport.h"

#include "compiler/codegen/cpu/cost/ConvolutionCost.h"

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

#include <array>

using namespace mlir;
using namespace plumb;

namespace {

/// Causes of cycles, and how a remark names an excess of each.
enum Cause { Loads, Latency, LaneSums, Memory, Instructions, kCauses };
constexpr llvm::StringLiteral kNames[kCauses] = {"loads", "waits for results of multiply-adds", "sums of lanes",
                                                 "waits for memory and copies into panels",
                                                 "instructions, remainders included"};

/// Cycles by cause.
using Causes = std::array<double, kCauses>;

/// A difference by less than this fraction has no cause worth naming.
constexpr double kSameShare = 0.001;

} // namespace

/// Cycles of a plan when operands are in L1.
static double getCoreCycles(linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
                            const CpuTarget &target) {
  KernelCost cost(op, nest, target);
  return isContraction(op) && !nest.bounds.empty() ? ConvolutionCost(cost).getCycles(plan) : cost.getCycles(plan);
}

/// The cycles that a machine saves which differs from `target` by `change`.
static double getSaved(linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan, const CpuTarget &target,
                       function_ref<void(MachineModel &)> change) {
  CpuTarget other = target;
  change(other.machine);
  return getCoreCycles(op, nest, plan, target) - getCoreCycles(op, nest, plan, other);
}

static Causes findCauses(linalg::LinalgOp op, LinearNest nest, const CostedPlan &costed, const CpuTarget &target) {
  const auto &[plan, cycles] = costed;
  if (plan.skew)
    nest = *nest.skew(*plan.skew);
  Causes causes{};
  causes[Loads] = getSaved(op, nest, plan, target, [](MachineModel &machine) { machine.loadCycles = 0; });
  causes[Latency] =
      getSaved(op, nest, plan, target, [](MachineModel &machine) { machine.fmaLatency = machine.chainSlack = 0; });
  causes[LaneSums] = getSaved(op, nest, plan, target, [](MachineModel &machine) { machine.laneSumCycles = 0; });
  // Convolutions are unrolled after their cycles were estimated, and read the same memory whatever their tile.
  if (isContraction(op) && nest.bounds.empty())
    causes[Memory] = cycles - getCoreCycles(op, nest, plan, target);
  causes[Instructions] = cycles - causes[Loads] - causes[Latency] - causes[LaneSums] - causes[Memory];
  return causes;
}

/// Lanes and register tile as the attribute writes them.
static void printTile(const KernelPlan &plan, llvm::raw_ostream &os) {
  os << "lanes = " << plan.lanes << " x " << plan.vectors << " along " << plan.laneLoop;
  if (!plan.tiles.empty()) {
    os << ", tiles = [";
    llvm::interleaveComma(plan.tiles, os, [&](const RegisterTile &tile) { os << tile.loop << " : " << tile.count; });
    os << "]";
  }
  if (plan.partials > 1)
    os << ", partials = " << plan.partials;
  if (plan.skew)
    os << ", skewed";
}

/// Names the second plan and what it needs more of.
static void printSecond(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target, const CostedPlan &first,
                        const CostedPlan &second, llvm::raw_ostream &os) {
  printTile(second.plan, os);
  os << " with " << llvm::format("%.0f", second.cycles) << " cycles";
  if (second.cycles - first.cycles <= kSameShare * first.cycles)
    return;
  Causes causes = findCauses(op, nest, first, target), others = findCauses(op, nest, second, target);
  unsigned cause = 0;
  for (unsigned each = 1; each < kCauses; ++each)
    if (others[each] - causes[each] > others[cause] - causes[cause])
      cause = each;
  os << ", for more " << kNames[cause];
}

static void report(linalg::LinalgOp op, StringRef text) {
  remark::passed(op.getLoc(), remark::RemarkOpts::name("Plan").category("plan")) << text;
}

void plumb::reportPlan(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target,
                       ArrayRef<CostedPlan> ranked) {
  if (!op.getContext()->getRemarkEngine())
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << ": " << llvm::format("%.0f", ranked[0].cycles) << " cycles by "
     << op->getAttr(kernel::kPlanName) << "; second: ";
  if (ranked.size() > 1)
    printSecond(op, nest, target, ranked[0], ranked[1], os);
  else
    os << "no other register tile";
  report(op, text);
}

void plumb::reportStoredPlan(linalg::LinalgOp op, const StoredPlans &stored) {
  if (!op.getContext()->getRemarkEngine() || !stored.contains(op))
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << ": given by " << stored.getSource(op) << ": " << op->getAttr(kernel::kPlanName);
  report(op, text);
}
