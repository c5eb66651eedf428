// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device dialect: what a device holds and runs. Its description is in DeviceBase.td.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICE_H
#define PLUMB_DIALECTS_DEVICE_IR_DEVICE_H

#include "dialects/types/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace plumb::device {

/// All variables' memory, as a resource of memory effects.
struct VariableResource : public mlir::SideEffects::Resource::Base<VariableResource> {
  llvm::StringRef getName() final { return "device.variables"; }
};

/// The queues' memory and the loop's control.
struct QueueResource : public mlir::SideEffects::Resource::Base<QueueResource> {
  llvm::StringRef getName() final { return "device.queues"; }
};

/// The report ring.
struct ReportResource : public mlir::SideEffects::Resource::Base<ReportResource> {
  llvm::StringRef getName() final { return "device.reports"; }
};

class GetNextOp;

/// Alignment in bytes of every buffer in the arena, the variables block and queue slots.
constexpr int64_t kBufferAlignment = 64;

/// Size in bytes of the contiguous tensor or memref `type`; i1 takes a byte, and an index eight.
int64_t getByteSize(mlir::ShapedType type);

/// The contiguous memref type of a tensor's shape and element type. Memory knows no signs: `ui8` lies there as `i8`.
mlir::MemRefType getBufferType(mlir::ShapedType type);

} // namespace plumb::device

#include "dialects/device/ir/DeviceDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/device/ir/DeviceAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/device/ir/DeviceOps.h.inc"

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICE_H
