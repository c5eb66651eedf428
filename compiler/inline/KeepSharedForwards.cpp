// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps a call whose forward code a gradient behind it goes back through: autodiff, which knows what the reverse needs,
// puts that code in the place of the call. Test: test/compiler/inline/keep_shared_forwards.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/auto_monad/SharedForward.h"
#include "compiler/inline/Passes.h"

namespace plumb {
#define GEN_PASS_DEF_KEEPSHAREDFORWARDSPASS
#include "compiler/inline/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

struct KeepSharedForwardsPass : public plumb::impl::KeepSharedForwardsPassBase<KeepSharedForwardsPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    SharedForwards forwards;
    getOperation().walk([&](net::ValueAndGradOp gradient) {
      func::CallOp call = forwards.find(gradient);
      func::FuncOp callee = call ? lookupCallee(call, symbols) : nullptr;
      // A function with a rule of its own is called wherever nothing differentiates its body.
      if (callee && !callee->hasAttr("custom_bprop"))
        call.setNoInline(true);
    });
  }
};

} // namespace
