// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes for plans that are measured. See ../../README.md.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_TUNE_PASSES_H
#define PLUMB_COMPILER_CODEGEN_CPU_TUNE_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/codegen/cpu/tune/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/codegen/cpu/tune/Passes.h.inc"

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_TUNE_PASSES_H
