// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory at the end of the arena, or on the stack.

#include "compiler/codegen/common/Scratch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// The first aligned byte after the buffers that `lower` planned.
static int64_t getArenaEnd(device::ModuleOp module) {
  return llvm::alignTo(module.getArenaBytes().value_or(0), device::kBufferAlignment);
}

Scratch::Scratch(Operation *user) : loop(user->getParentOfType<device::LoopOp>()) {
  if (loop)
    start = getArenaEnd(loop->getParentOfType<device::ModuleOp>());
}

Value Scratch::allocate(OpBuilder &builder, Location location, MemRefType type) {
  int64_t offset = start + bytes;
  bytes += llvm::alignTo(device::getByteSize(type), device::kBufferAlignment);
  if (loop)
    return device::ArenaViewOp::create(builder, location, type, offset);
  return memref::AllocaOp::create(builder, location, type, builder.getI64IntegerAttr(device::kBufferAlignment));
}

void plumb::reserveScratch(device::ModuleOp module, StringRef name, int64_t bytes) {
  if (bytes == 0)
    return;
  int64_t start = getArenaEnd(module);
  module.setArenaBytes(start + bytes);
  if (!module.getArenaBuffers())
    return;
  SmallVector<Attribute> buffers(module.getArenaBuffers()->getValue());
  int64_t last = 0;
  for (Attribute buffer : buffers)
    last = std::max(last, cast<device::BufferAttr>(buffer).getLast());
  buffers.push_back(device::BufferAttr::get(module.getContext(), name, start, bytes, 0, last));
  module.setArenaBuffersAttr(ArrayAttr::get(module.getContext(), buffers));
}
