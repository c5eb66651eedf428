// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearranges the operands of contractions where that saves cycles (Packer.h). Covered by pack_contractions.mlir.

#include "compiler/codegen/common/Scratch.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/analysis/LinearNest.h"
#include "compiler/codegen/cpu/analysis/OpFacts.h"
#include "compiler/codegen/cpu/select/Packer.h"
#include "compiler/target/FindTarget.h"

namespace plumb {
#define GEN_PASS_DEF_PACKCONTRACTIONSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {
struct PackContractions : plumb::impl::PackContractionsPassBase<PackContractions> {
  using PackContractionsPassBase::PackContractionsPassBase;
  void runOnOperation() override;
};
} // namespace

void PackContractions::runOnOperation() {
  FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
  if (failed(target))
    return signalPassFailure();
  SmallVector<linalg::LinalgOp> ops;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (succeeded(LinearNest::get(op)) && isContraction(op))
      ops.push_back(op);
  });
  auto &choices = getAnalysis<PackingChoices>();
  llvm::MapVector<Operation *, int64_t> scratch;
  for (linalg::LinalgOp op : ops) {
    Operation *module = op->getParentOfType<device::ModuleOp>();
    int64_t bytes = Packer(op, *target, choices).run();
    if (module)
      scratch[module] = std::max(scratch[module], bytes);
  }
  for (auto [module, bytes] : scratch)
    reserveScratch(cast<device::ModuleOp>(module), "rearranged operands", bytes);
}
