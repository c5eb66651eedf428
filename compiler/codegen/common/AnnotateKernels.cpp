// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each outlined kernel a name that tells what it computes and notes what a call costs, for profiles. Later passes
// keep the note; emit writes it into the executable when symbols are requested. Covered by annotate_kernels.mlir.

#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/common/Passes.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace plumb {
#define GEN_PASS_DEF_ANNOTATEKERNELSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// The calls of one kernel.
struct Calls {
  SmallVector<func::CallOp> ops;
  /// Calls in one step of each loop, by the loop's name.
  llvm::MapVector<StringAttr, int64_t> perStep;
};

using CallsByKernel = llvm::MapVector<StringAttr, Calls>;

} // namespace

/// How often `op` runs in a step, as far as that is known: both sides of a condition count, and a loop with an unknown
/// trip count counts once.
static int64_t countRuns(Operation *op) {
  int64_t count = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>())
    if (auto trips = loop.getStaticTripCount())
      count *= trips->getSExtValue();
  return count;
}

static CallsByKernel findCalls(device::ModuleOp module) {
  CallsByKernel kernels;
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) {
      Calls &calls = kernels[call.getCalleeAttr().getAttr()];
      calls.ops.push_back(call);
      calls.perStep[loop.getLoopNameAttr()] += countRuns(call);
    });
  return kernels;
}

namespace {
/// Names, each given once.
class UniqueNames {
public:
  /// `name`, or `name` with a numeric suffix where it is taken.
  std::string add(const std::string &name) {
    std::string unique = name;
    for (int &number = last.try_emplace(name, 1).first->second; !taken.insert(unique).second;)
      unique = name + "_" + std::to_string(++number);
    return unique;
  }

private:
  llvm::StringSet<> taken;
  /// The last suffix that was tried for each name: thousands of kernels may have one.
  llvm::StringMap<int> last;
};
} // namespace

/// The note on a kernel's function.
static kernel::InfoAttr makeInfo(MLIRContext *context, const KernelDescription &description, const Calls &calls) {
  Builder builder(context);
  NamedAttrList perStep;
  for (auto &[loop, count] : calls.perStep)
    perStep.append(loop, builder.getI64IntegerAttr(count));
  return kernel::InfoAttr::get(context, perStep.getDictionary(context), description.flops, description.bytesRead,
                               description.bytesWritten, builder.getStringAttr(description.source));
}

namespace {
struct AnnotateKernels : plumb::impl::AnnotateKernelsPassBase<AnnotateKernels> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>())
      annotate(module);
  }

  void annotate(device::ModuleOp module) {
    llvm::StringMap<func::FuncOp> functions;
    for (auto function : module.getBody().getOps<func::FuncOp>())
      functions[function.getName()] = function;
    UniqueNames names;
    for (auto &[symbol, calls] : findCalls(module)) {
      func::FuncOp function = functions.lookup(symbol);
      if (!function || function.isDeclaration())
        continue;
      KernelDescription description = describeKernel(function);
      if (description.name.empty())
        description.name = symbol.str();
      function.setName(names.add(description.name));
      function->setAttr(kernel::kInfoName, makeInfo(&getContext(), description, calls));
      for (func::CallOp call : calls.ops)
        call.setCallee(function.getName());
    }
  }
};
} // namespace
