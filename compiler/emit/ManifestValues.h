// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, initial values and pipelines in the manifest's terms.

#ifndef PLUMB_COMPILER_EMIT_MANIFESTVALUES_H
#define PLUMB_COMPILER_EMIT_MANIFESTVALUES_H

#include "dialects/device/ir/Device.h"
#include "runtime/abi/manifest_generated.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <memory>

namespace plumb {

/// The manifest's form of a tensor type; fails for element types that the
/// runtime does not know.
mlir::FailureOr<std::unique_ptr<abi::TensorTypeT>> convertType(mlir::Operation *owner, mlir::ShapedType type);

/// Sets `variable`'s initial value, by rule or as data.
mlir::LogicalResult convertInitialValue(device::VariableOp op, abi::VariableT &variable);

/// Reads a queue's pipeline from its JSON.
mlir::FailureOr<std::unique_ptr<abi::PipelineT>> convertPipeline(device::QueueOp op);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_MANIFESTVALUES_H
