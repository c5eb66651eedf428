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

#include "compiler/specialize/Passes.h"
#include "compiler/specialize/interpreter/Interpreter.h"
#include "compiler/specialize/tensors/PackageLocation.h"
#include "compiler/specialize/tensors/WeakTypes.h"
#include "compiler/support/CrashReporter.h"

#include "dialects/check/ir/Check.h"
#include "dialects/native/ir/Native.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/thread.h"

namespace plumb {
#define GEN_PASS_DEF_SPECIALIZEPROGRAMSPASS
#include "compiler/specialize/Passes.h.inc"

namespace {

using namespace mlir;

/// Depth of calls where the program sets none, and the deepest that a stack of 32 bits holds.
constexpr unsigned kDefaultCallDepth = 1000, kMaxCallDepth = 3000;

/// Room for each call, and for long unrolled loops; pages that are not accessed cost nothing.
constexpr unsigned kStackBytesPerCall = (1u << 30) / 1000;

/// `context.set_context(max_call_depth=…)`, which nothing behind this stage reads.
unsigned takeMaxCallDepth(ModuleOp module) {
  auto depth = dyn_cast_or_null<IntegerAttr>(module->removeAttr("net.max_call_depth"));
  return depth ? std::clamp<int64_t>(depth.getInt(), 1, kMaxCallDepth) : kDefaultCallDepth;
}

/// Reports an error of a function of the package at the user's line instead,
/// with a note at the place where it was found.
void move(Diagnostic &diagnostic, Location place) {
  InFlightDiagnostic moved = emitError(place) << diagnostic.str();
  setKind(*moved.getUnderlyingDiagnostic(), getKind(diagnostic));
  if (!specialize::isOfConstruct(diagnostic.getLocation()))
    moved.attachNote(diagnostic.getLocation()) << "it was found here";
  for (Diagnostic &note : diagnostic.getNotes())
    moved.attachNote(note.getLocation()) << note.str();
}

LogicalResult specializeModule(ModuleOp module, unsigned maxCallDepth) {
  specialize::Workspace workspace(module);
  specialize::Interpreter interpreter(workspace, maxCallDepth);
  bool moved = false;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) -> LogicalResult {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    if (std::optional<Location> place = interpreter.run.chain.getUserPlace(diagnostic)) {
      moved = true;
      move(diagnostic, *place);
      moved = false;
      return success();
    }
    interpreter.run.chain.attachTo(diagnostic, moved);
    return failure(); // Only annotated; others report it.
  });
  for (auto entry : llvm::make_early_inc_range(module.getOps<net::EntryOp>()))
    if (failed(interpreter.runEntry(entry)))
      return failure();
  return success();
}

struct SpecializePrograms : impl::SpecializeProgramsPassBase<SpecializePrograms> {
  void runOnOperation() override {
    LogicalResult result = success();
    unsigned depth = takeMaxCallDepth(getOperation());
    CrashReporterThread crashes;
    llvm::thread worker(std::optional<unsigned>(kStackBytesPerCall * std::max(depth, kDefaultCallDepth)), [&] {
      crashes.enter();
      result = specializeModule(getOperation(), depth);
    });
    worker.join();
    specialize::removeWeakMarks(getOperation());
    if (failed(result))
      signalPassFailure();
  }
};

} // namespace
} // namespace plumb
