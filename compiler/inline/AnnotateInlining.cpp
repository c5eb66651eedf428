// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the inliner and symbol-dce, which know nothing of entries and gradients, what to keep: entry functions stay
// public, all others become private, and a function with `custom_bprop` stays a call (`no_inline`) since its own rule,
// not that of its body, is its gradient; autodiff inlines it later. A module without entries, as tests write it, keeps
// its visibilities. Test: test/compiler/inline/annotate_inlining.mlir.

#include "compiler/inline/Passes.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {
#define GEN_PASS_DEF_ANNOTATEINLININGPASS
#include "compiler/inline/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Makes every function private that no entry of `module` starts. Does nothing without entries.
static void hideFunctions(ModuleOp module) {
  llvm::DenseSet<StringAttr> started;
  for (auto entry : module.getOps<net::EntryOp>())
    if (auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(entry.getCallee()))
      started.insert(callee.getAttr());
  if (started.empty())
    return;
  for (auto function : module.getOps<func::FuncOp>())
    if (!started.contains(function.getSymNameAttr()))
      function.setPrivate();
}

namespace {

struct AnnotateInliningPass : public plumb::impl::AnnotateInliningPassBase<AnnotateInliningPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    hideFunctions(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr("custom_bprop"))
        function.setNoInline(true);
  }
};

} // namespace
