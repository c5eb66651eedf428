// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each outlined kernel a name that tells what it is and notes what a call
// costs, so that a profile can be read. Every later pass keeps the note; emit
// writes it into the executable when symbols are wanted. Covered by
// annotate_kernels.mlir.

#include "compiler/codegen/common/KernelDescription.h"
#include "compiler/codegen/common/Passes.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#define DEBUG_TYPE "plumb-annotate-kernels"

namespace plumb {
#define GEN_PASS_DEF_ANNOTATEKERNELSPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// The calls of one kernel.
struct Calls {
  SmallVector<func::CallOp> places;
  /// Calls in one step of each loop, by the loop's name.
  llvm::MapVector<StringAttr, int64_t> perStep;
};

using CallsByKernel = llvm::MapVector<StringAttr, Calls>;

} // namespace

/// How often `op` runs in a step, as far as that is known: both sides of a
/// condition count, a loop without a known end counts once.
static int64_t countRuns(Operation *op) {
  int64_t count = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (auto trips = loop.getStaticTripCount())
      count *= trips->getSExtValue();
  return count;
}

static CallsByKernel findCalls(device::ModuleOp module) {
  CallsByKernel kernels;
  for (auto loop : module.getBody().getOps<device::LoopOp>())
    loop.walk([&](func::CallOp call) {
      Calls &calls = kernels[call.getCalleeAttr().getAttr()];
      calls.places.push_back(call);
      calls.perStep[loop.getLoopNameAttr()] += countRuns(call);
    });
  return kernels;
}

/// `name`, or with a number behind it when it is taken.
static std::string makeUnique(const std::string &name,
                              llvm::StringSet<> &taken) {
  std::string unique = name;
  for (int number = 2; !taken.insert(unique).second; ++number)
    unique = name + "_" + std::to_string(number);
  return unique;
}

/// The note on a kernel's function.
static DictionaryAttr makeNote(MLIRContext *context,
                               const KernelDescription &kernel,
                               const Calls &calls) {
  Builder builder(context);
  NamedAttrList perStep;
  for (auto &[loop, count] : calls.perStep)
    perStep.append(loop, builder.getI64IntegerAttr(count));
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("calls", perStep.getDictionary(context)),
       builder.getNamedAttr("flops", builder.getI64IntegerAttr(kernel.flops)),
       builder.getNamedAttr("read",
                            builder.getI64IntegerAttr(kernel.bytesRead)),
       builder.getNamedAttr("source", builder.getStringAttr(kernel.source)),
       builder.getNamedAttr("written",
                            builder.getI64IntegerAttr(kernel.bytesWritten))});
}

namespace {
struct AnnotateKernels
    : plumb::impl::AnnotateKernelsPassBase<AnnotateKernels> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>())
      annotate(module);
  }

  void annotate(device::ModuleOp module) {
    llvm::StringMap<func::FuncOp> functions;
    for (auto function : module.getBody().getOps<func::FuncOp>())
      functions[function.getName()] = function;
    llvm::StringSet<> taken;
    for (auto &[symbol, calls] : findCalls(module)) {
      func::FuncOp function = functions.lookup(symbol);
      if (!function || function.isDeclaration())
        continue;
      KernelDescription kernel = describeKernel(function);
      if (kernel.name.empty())
        kernel.name = symbol.str();
      function.setName(makeUnique(kernel.name, taken));
      function->setAttr("device.kernel",
                        makeNote(&getContext(), kernel, calls));
      for (func::CallOp call : calls.places)
        call.setCallee(function.getName());
    }
  }
};
} // namespace
