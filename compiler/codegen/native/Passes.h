// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of codegen for functions that the program brings along. See ../README.md.

#ifndef PLUMB_COMPILER_CODEGEN_NATIVE_PASSES_H
#define PLUMB_COMPILER_CODEGEN_NATIVE_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/codegen/native/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/codegen/native/Passes.h.inc"

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_NATIVE_PASSES_H
