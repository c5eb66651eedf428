// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns offsets to the declarations of a device module: to variables in the block of variables, to columns in a slot,
// to reports and printed values in a record. Test: test/compiler/lower/assign_offsets.mlir

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "llvm/Support/MathExtras.h"

namespace plumb {
#define GEN_PASS_DEF_ASSIGNOFFSETSPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Allocates `bytes` at the next multiple of `alignment` after `end`, and advances `end`.
static int64_t take(int64_t &end, int64_t bytes, int64_t alignment) {
  int64_t offset = llvm::alignTo(end, alignment);
  end = offset + bytes;
  return offset;
}

static void assignVariables(device::ModuleOp module, Builder builder) {
  int64_t end = 0;
  for (auto variable : module.getBody().getOps<device::VariableOp>()) {
    int64_t bytes = device::getByteSize(cast<ShapedType>(variable.getType()));
    variable.setOffsetAttr(builder.getI64IntegerAttr(take(end, bytes, device::kBufferAlignment)));
  }
  module.setVariablesBytesAttr(builder.getI64IntegerAttr(llvm::alignTo(end, device::kBufferAlignment)));
}

static void assignColumns(device::QueueOp queue, Builder builder) {
  int64_t end = 0;
  SmallVector<int64_t> offsets;
  for (Type type : queue.getTypes().getAsValueRange<TypeAttr>())
    offsets.push_back(take(end, device::getByteSize(cast<ShapedType>(type)), device::kBufferAlignment));
  queue.setOffsets(offsets);
  queue.setSlotBytesAttr(builder.getI64IntegerAttr(llvm::alignTo(end, device::kBufferAlignment)));
}

/// Each report belongs to one loop. A record begins with the step's number, and its size is a multiple of 8.
static void assignReports(device::LoopOp loop, Builder builder) {
  int64_t end = sizeof(uint64_t);
  for (auto emit : loop.getBody().getOps<device::EmitOp>()) {
    auto report = SymbolTable::lookupNearestSymbolFrom<device::ReportOp>(loop, emit.getReportAttr());
    auto type = cast<ShapedType>(report.getType());
    int64_t alignment = llvm::PowerOf2Ceil(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
    report.setOffsetAttr(builder.getI64IntegerAttr(take(end, device::getByteSize(type), alignment)));
  }
  loop.setRecordBytesAttr(builder.getI64IntegerAttr(llvm::alignTo(end, sizeof(uint64_t))));
}

/// A record of a print begins with the numbers of the step and of the print. All prints of a loop share one ring, so
/// the largest print determines the size of its records.
static void assignPrints(device::LoopOp loop, Builder builder) {
  int64_t bytes = 0;
  loop.walk([&](device::PrintOp print) {
    int64_t end = 2 * sizeof(uint64_t);
    SmallVector<int64_t> offsets;
    for (Type type : print.getTypes().getAsValueRange<TypeAttr>())
      offsets.push_back(take(end, device::getByteSize(cast<ShapedType>(type)), sizeof(uint64_t)));
    print.setOffsets(offsets);
    bytes = std::max<int64_t>(bytes, llvm::alignTo(end, sizeof(uint64_t)));
  });
  if (bytes > 0)
    loop.setPrintBytesAttr(builder.getI64IntegerAttr(bytes));
}

namespace {

struct AssignOffsetsPass : public plumb::impl::AssignOffsetsPassBase<AssignOffsetsPass> {
  void runOnOperation() override {
    Builder builder(&getContext());
    getOperation()->walk([&](device::ModuleOp module) {
      assignVariables(module, builder);
      for (auto queue : module.getBody().getOps<device::QueueOp>())
        assignColumns(queue, builder);
      for (auto loop : module.getBody().getOps<device::LoopOp>()) {
        assignReports(loop, builder);
        assignPrints(loop, builder);
      }
    });
  }
};

} // namespace
