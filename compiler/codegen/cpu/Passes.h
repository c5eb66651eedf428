// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from linalg on memrefs to vector code for one core. See ../README.md.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PASSES_H
#define PLUMB_COMPILER_CODEGEN_CPU_PASSES_H

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/codegen/cpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/codegen/cpu/Passes.h.inc"

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PASSES_H
