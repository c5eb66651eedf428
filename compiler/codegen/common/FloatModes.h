// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The floating-point modes of the host and of steps. While steps run, denormal numbers are zero: values that decay for
// ever, such as the moments of a weight without gradient, would otherwise become denormal, and processors are a hundred
// times slower with these. The host's mode is restored whenever its code runs.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_FLOATMODES_H
#define PLUMB_COMPILER_CODEGEN_COMMON_FLOATMODES_H

#include "compiler/target/CpuTarget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace plumb {

/// The two modes of one native loop, kept on its stack.
class FloatModes {
public:
  FloatModes(mlir::ImplicitLocOpBuilder &builder, const CpuTarget &target);

  /// At the insertion point: saves the host's mode and sets the mode of steps.
  void begin();
  void setHost() { set(host); }
  void setStep() { set(step); }

private:
  void save(mlir::Value address);
  void set(mlir::Value address);

  mlir::ImplicitLocOpBuilder &builder;
  /// MXCSR is loaded from and stored to memory; AArch64's FPCR is moved between registers.
  bool isX86;
  mlir::Type type;
  mlir::Value host, step;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_FLOATMODES_H
