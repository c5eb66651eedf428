// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each entry a typed function by interpreting its program abstractly.
//
//   net.python.func @double(x) {            func.func @train.step(%x: tensor<4xf32>)
//     %0 = net.python.load "x"                                   -> tensor<4xf32> {
//     %1 = net.python.operator "add"(%0, %0)     %0 = call @double_1(%x) …
//     net.python.return %1                  =>   return %0
//   }                                          }
//   net.entry @train calls @double (…)         net.entry @train calls @train.step (…)
//
// Recursion in the user's program is recursion here, so the interpreter runs on
// a thread whose stack holds the deepest chain of calls that is allowed.
// Tests: test/compiler/specialize/specialize_programs*.mlir.

#include "compiler/specialize/Interpreter.h"
#include "compiler/specialize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/thread.h"

namespace plumb {
#define GEN_PASS_DEF_SPECIALIZEPROGRAMSPASS
#include "compiler/specialize/Passes.h.inc"

namespace {

using namespace mlir;

/// Room for kMaxCallDepth Python calls and for long unrolled loops; untouched
/// pages cost nothing.
constexpr unsigned kStackBytes = 1u << 30;

LogicalResult specializeModule(ModuleOp module) {
  specialize::Interpreter interpreter(module);
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) -> LogicalResult {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          interpreter.attachCallChain(diagnostic);
        return failure(); // Only annotated; others report it.
      });
  for (auto entry :
       llvm::make_early_inc_range(module.getOps<net::EntryOp>()))
    if (failed(interpreter.runEntry(entry)))
      return failure();
  return success();
}

struct SpecializePrograms
    : impl::SpecializeProgramsPassBase<SpecializePrograms> {
  void runOnOperation() override {
    LogicalResult result = success();
    llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] {
      result = specializeModule(getOperation());
    });
    worker.join();
    if (failed(result))
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
