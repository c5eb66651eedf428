// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The specialize stage: from names bound to every value typed.

#ifndef PLUMB_COMPILER_SPECIALIZE_PASSES_H
#define PLUMB_COMPILER_SPECIALIZE_PASSES_H

#include "dialects/net/ir/NetBase.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace plumb {

#define GEN_PASS_DECL
#include "compiler/specialize/Passes.h.inc"

/// Adds the stage's passes in their order.
void buildSpecializePipeline(mlir::OpPassManager &pm);

/// Registers the stage's passes and `--plumb-specialize`.
void registerSpecializePipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_SPECIALIZE_PASSES_H
