// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's and the steps' mode of floating point. While steps run, numbers too
// small for a normal float are zero: what decays for ever (the moment of a weight
// without gradient) would otherwise end among numbers that a processor is a
// hundred times slower with. The host never sees this.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_FLOATMODES_H
#define PLUMB_COMPILER_CODEGEN_COMMON_FLOATMODES_H

#include "compiler/codegen/common/CpuTarget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace plumb {

/// Both modes of one native loop, kept on its stack.
class FloatModes {
public:
  FloatModes(mlir::ImplicitLocOpBuilder &builder, const CpuTarget &target);

  /// At the builder's place: keeps the host's mode and sets that of steps.
  void begin();
  void setHost() { set(host); }
  void setStep() { set(step); }

private:
  void keep(mlir::Value place);
  void set(mlir::Value place);

  mlir::ImplicitLocOpBuilder &builder;
  /// MXCSR goes to and comes from memory; AArch64's FPCR is moved between registers.
  bool isX86;
  mlir::Type type;
  mlir::Value host, step;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_FLOATMODES_H
