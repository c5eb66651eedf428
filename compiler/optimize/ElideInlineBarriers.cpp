// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes `no_inline` from functions and calls. Test: test/compiler/optimize/elide_inline_barriers.mlir.

#include "compiler/optimize/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {
#define GEN_PASS_DEF_ELIDEINLINEBARRIERSPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

struct ElideInlineBarriersPass : public plumb::impl::ElideInlineBarriersPassBase<ElideInlineBarriersPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        function.setNoInline(false);
      else if (auto call = dyn_cast<func::CallOp>(op))
        call.setNoInline(false);
    });
  }
};

} // namespace
