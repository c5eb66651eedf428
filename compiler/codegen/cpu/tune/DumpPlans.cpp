// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the plans that each kernel could have: the one it has, the next ones of the cost model, and variations of the
// first one in what the model knows least about, prefetches and unrolling. `plumbc --tune` measures them. Covered by
// dump_plans.mlir.

#include "compiler/codegen/cpu/plan/PlanAttribute.h"
#include "compiler/codegen/cpu/select/Selection.h"
#include "compiler/codegen/cpu/tune/Passes.h"
#include "compiler/target/FindTarget.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

namespace plumb {
#define GEN_PASS_DEF_DUMPPLANSPASS
#include "compiler/codegen/cpu/tune/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Further plans of the model: two of each register tile.
constexpr PlanLimit kLimit{8, 2};
/// Vector operations in one iteration of the innermost loop, up to which it is unrolled further.
constexpr int64_t kMaxUnrolled = 160;

namespace {

/// The plans of one operation of a kernel.
struct Candidates {
  linalg::LinalgOp op;
  unsigned operation = 0;
  int64_t cycles = 0;
};

} // namespace

/// The operation of a kernel with the most estimated cycles; none where no operation has a plan.
static std::optional<Candidates> findHeaviest(func::FuncOp kernel) {
  std::optional<Candidates> found;
  for (auto [number, op] : llvm::enumerate(getOperations(kernel)))
    if (auto plan = op->getAttrOfType<kernel::PlanAttr>(kernel::kPlanName))
      if (!found || plan.getCycles() > found->cycles)
        found = Candidates{op, unsigned(number), plan.getCycles()};
  return found;
}

/// Variations of a plan: without prefetches, and with the innermost reduction unrolled by other factors.
static std::vector<KernelPlan> varyPlan(const PlannedOp &planned) {
  std::vector<KernelPlan> variations;
  KernelPlan plain = planned.plan;
  plain.prefetchedInputs.clear();
  plain.blockPrefetches.clear();
  plain.prefetchedOutputs.clear();
  variations.push_back(plain);
  if (planned.plan.reductions.empty() || planned.plan.partials > 1 || !planned.nest.bounds.empty())
    return variations;
  unsigned inner = planned.plan.reductions.back();
  for (int64_t factor : {1, 2, 4, 8}) {
    KernelPlan unrolled = planned.plan;
    unrolled.unroll[inner] = factor;
    int64_t copies = getFullShape(unrolled).accumulators() * factor;
    if (factor <= planned.nest.sizes[inner] && copies <= kMaxUnrolled)
      variations.push_back(unrolled);
  }
  return variations;
}

/// The attribute without its estimate, which tells no plans apart.
static std::string getText(kernel::PlanAttr plan) {
  std::string text;
  llvm::raw_string_ostream(text) << plan;
  return text.substr(0, text.rfind(", cycles = "));
}

/// Writes the plans of `op`, the one it has first.
static void writeCandidates(linalg::LinalgOp op, const CpuTarget &target, llvm::json::OStream &json) {
  FailureOr<UnplannedOp> unplanned = UnplannedOp::get(op);
  FailureOr<PlannedOp> own = readPlan(op);
  auto attribute = op->getAttrOfType<kernel::PlanAttr>(kernel::kPlanName);
  if (failed(unplanned) || failed(own))
    return;
  std::vector<CostedPlan> plans = rankSelections(op, unplanned->nest, target, kLimit);
  for (const KernelPlan &variation : varyPlan(*own))
    plans.push_back({variation, double(attribute.getCycles())});
  llvm::StringMap<bool> known;
  auto write = [&](kernel::PlanAttr plan, bool isSame) {
    if (!known.try_emplace(getText(plan), true).second)
      return;
    std::string text;
    llvm::raw_string_ostream(text) << plan;
    json.object([&] {
      json.attribute("plan", text);
      json.attribute("cycles", plan.getCycles());
      json.attribute("same_sums", isSame);
    });
  };
  write(attribute, true);
  for (const auto &[plan, cycles] : plans) {
    PlannedOp planned = makePlanned(*unplanned, plan);
    write(makeAttribute(planned, cycles), addInSameOrder(*own, planned));
  }
}

/// How often a step runs each function: its calls, and the chunks that it is one of.
static llvm::StringMap<int64_t> countRuns(Operation *module) {
  llvm::StringMap<int64_t> runs;
  module->walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (kernel::PartitionAttr partition = callee ? kernel::getPartition(callee) : kernel::PartitionAttr())
      runs[partition.getFunction().getValue()] += partition.getChunks();
    else
      ++runs[call.getCallee()];
  });
  return runs;
}

static void writeKernel(func::FuncOp kernel, const Candidates &heaviest, int64_t runs, const CpuTarget &target,
                        llvm::json::OStream &json) {
  auto info = kernel->getAttrOfType<kernel::InfoAttr>(kernel::kInfoName);
  json.object([&] {
    json.attribute("name", kernel.getName());
    json.attribute("source", info ? info.getSource().getValue() : "");
    json.attribute("target", getTargetKey(target));
    json.attribute("kernel", getKernelKey(kernel));
    json.attribute("operation", heaviest.operation);
    json.attribute("runs", runs);
    json.attributeArray("plans", [&] { writeCandidates(heaviest.op, target, json); });
  });
}

namespace {
struct DumpPlans : plumb::impl::DumpPlansPassBase<DumpPlans> {
  using DumpPlansPassBase::DumpPlansPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    std::error_code failed;
    llvm::raw_fd_ostream os(output, failed, llvm::sys::fs::OF_Text);
    if (mlir::failed(target) || failed) {
      if (failed)
        getOperation().emitError() << "cannot write the plans to '" << output << "': " << failed.message();
      return signalPassFailure();
    }
    llvm::StringMap<int64_t> runs = countRuns(getOperation());
    llvm::json::OStream json(os, /*IndentSize=*/2);
    json.array([&] {
      getOperation()->walk([&](func::FuncOp kernel) {
        if (std::optional<Candidates> heaviest = findHeaviest(kernel))
          writeKernel(kernel, *heaviest, std::max<int64_t>(1, runs.lookup(kernel.getName())), *target, json);
      });
    });
    os << "\n";
  }
};
} // namespace
