// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-opt: runs passes over IR, with mlir-opt's command line.

#include "compiler/driver/Compile.h"
#include "compiler/pipeline/Stages.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  plumb::registerAllDialects(registry);
  plumb::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Plumb's pass driver\n", registry));
}
