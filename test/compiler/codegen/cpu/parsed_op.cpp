// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/compiler/codegen/cpu/parsed_op.h"

#include "dialects/device/ir/Device.h"
#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <stdexcept>

using namespace mlir;
using namespace plumb;

ParsedOp::ParsedOp(const std::string &arguments, const std::string &text) : context(std::make_unique<MLIRContext>()) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                       memref::MemRefDialect, device::DeviceDialect, kernel::KernelDialect>();
  std::string said;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) { said += diagnostic.str() + "\n"; });
  std::string source = "func.func @test(" + arguments + ") {\n" + text + "\n  return\n}\n";
  module = parseSourceString<ModuleOp>(source, context.get());
  if (module)
    module->walk([&](linalg::LinalgOp found) {
      if (!isa<linalg::FillOp>(found))
        op = found;
    });
  if (!op)
    throw std::invalid_argument(said + source);
}

static std::string getText(const Contraction &contraction) {
  std::string types, view;
  for (char kind : contraction.kinds)
    types += std::string(types.empty() ? "" : ", ") + (kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  const bool hasHalo = !contraction.halo.empty();
  if (hasHalo)
    view = "  %v = device.halo %x " + contraction.halo + " : " + contraction.x + " to " + contraction.haloType + "\n";
  auto getMap = [](const std::string &map) { return "affine_map<" + map + ">"; };
  return view + "  linalg.generic {indexing_maps = [" + getMap(contraction.xMap) + ", " + getMap(contraction.yMap) +
         ", " + getMap(contraction.zMap) + "], iterator_types = [" + types + "]} ins(" + (hasHalo ? "%v" : "%x") +
         ", %y : " + (hasHalo ? contraction.haloType : contraction.x) + ", " + contraction.y +
         ") outs(%z : " + contraction.z +
         ") {\n  ^bb0(%a: f32, %b: f32, %c: f32):\n    %0 = arith.mulf %a, %b : f32\n" +
         "    %1 = arith.addf %c, %0 : f32\n    linalg.yield %1 : f32\n  }";
}

ParsedOp::ParsedOp(const Contraction &contraction)
    : ParsedOp("%x: " + contraction.x + ", %y: " + contraction.y + ", %z: " + contraction.z, getText(contraction)) {}
