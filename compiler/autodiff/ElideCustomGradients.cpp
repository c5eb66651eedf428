// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forgets the gradient rules that functions brought along (`custom_bprop`). They have served once no gradient is left
// to expand; without them the functions are like any others, and the inliner, which runs next, may inline them and
// their rules. What `net.straight_through` said of gradients is used up as well: it becomes its value. Test:
// test/compiler/autodiff/elide_custom_gradients.mlir.

#include "compiler/autodiff/Passes.h"
#include "dialects/net/ir/NetGradOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {
#define GEN_PASS_DEF_ELIDECUSTOMGRADIENTSPASS
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

struct ElideCustomGradientsPass : public plumb::impl::ElideCustomGradientsPassBase<ElideCustomGradientsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->removeAttr("custom_bprop"))
        function.setNoInline(false);
    getOperation().walk([](net::StraightThroughOp op) {
      op.replaceAllUsesWith(op.getValue());
      op.erase();
    });
  }
};

} // namespace
