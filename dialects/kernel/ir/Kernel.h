// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel dialect: decisions of code generation as attributes, and the way a buffer is handed to a kernel. Its
// description is in KernelDialect.td.

#ifndef PLUMB_DIALECTS_KERNEL_IR_KERNEL_H
#define PLUMB_DIALECTS_KERNEL_IR_KERNEL_H

#include "dialects/types/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "dialects/kernel/ir/KernelDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/ir/KernelAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/kernel/ir/KernelOps.h.inc"

namespace plumb::kernel {

/// Names of the dialect's attributes on operations.
constexpr llvm::StringLiteral kEpilogueName = "kernel.epilogue";
constexpr llvm::StringLiteral kTransientName = "kernel.transient";
constexpr llvm::StringLiteral kPlanName = "kernel.plan";
constexpr llvm::StringLiteral kInfoName = "kernel.info";
constexpr llvm::StringLiteral kPartitionName = "kernel.partition";
constexpr llvm::StringLiteral kFusedName = "kernel.fused";
constexpr llvm::StringLiteral kChunksName = "kernel.chunks";

/// The partition of the kernel that `function` stands for, or null.
inline PartitionAttr getPartition(mlir::Operation *function) {
  return function->getAttrOfType<PartitionAttr>(kPartitionName);
}

/// The chunks that `function` stands for; 0 where it is a kernel itself, or null.
inline int64_t countChunks(mlir::Operation *function) {
  PartitionAttr partition = function ? getPartition(function) : PartitionAttr();
  return partition ? partition.getChunks() : 0;
}

} // namespace plumb::kernel

#endif // PLUMB_DIALECTS_KERNEL_IR_KERNEL_H
