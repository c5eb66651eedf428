// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the kernel dialect, and where its attributes may be set.

#include "dialects/kernel/ir/Kernel.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace plumb::kernel;

#include "dialects/kernel/ir/KernelDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/ir/KernelAttrs.cpp.inc"

void KernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/kernel/ir/KernelAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/kernel/ir/KernelOps.cpp.inc"
      >();
}

/// Whether `op` is one of those that have a plan or belong to an epilogue.
static bool isLinalg(Operation *op) { return op->getName().getDialectNamespace() == "linalg"; }

/// Checks a declaration that stands for chunks.
static LogicalResult verifyPartition(Operation *op, PartitionAttr partition) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !function.isExternal())
    return op->emitOpError() << "has '" << kPartitionName << "', which belongs on a function's declaration";
  if (partition.getSteps().size() != function.getNumArguments())
    return op->emitOpError() << "has " << function.getNumArguments() << " arguments, and its partition "
                             << partition.getSteps().size() << " steps; there must be one for each argument";
  auto chunk = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(op, partition.getFunction());
  if (!chunk)
    return op->emitOpError() << "stands for chunks of " << partition.getFunction() << ", which is no function here";
  if (chunk.getNumArguments() == function.getNumArguments())
    return success();
  auto error = op->emitOpError() << "stands for chunks of " << partition.getFunction()
                                 << ", whose number of arguments is another one";
  error.attachNote(chunk.getLoc()) << "the function of one chunk is here";
  return error;
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  auto fail = [&](StringRef what) -> LogicalResult {
    return op->emitOpError() << "has '" << name << "', which must be " << what;
  };
  if (name == kEpilogueName || name == kTransientName)
    return isa<UnitAttr>(attribute.getValue()) && isLinalg(op) ? success() : fail("a mark of a linalg operation");
  if (name == kPlanName)
    return isa<PlanAttr>(attribute.getValue()) && isLinalg(op) ? success() : fail("the plan of a linalg operation");
  if (name == kFusedName)
    return isa<UnitAttr>(attribute.getValue()) && isa<CallOpInterface>(op) ? success() : fail("a mark of a call");
  if (name == kInfoName)
    return isa<InfoAttr>(attribute.getValue()) && isa<FunctionOpInterface>(op) ? success()
                                                                               : fail("the note on a kernel");
  if (name == kChunksName)
    return isa<DenseI64ArrayAttr>(attribute.getValue()) ? success() : fail("an array of numbers");
  auto partition = dyn_cast<PartitionAttr>(attribute.getValue());
  if (name == kPartitionName)
    return partition ? verifyPartition(op, partition) : fail("the partition of a kernel");
  return fail("one that the dialect declares");
}

LogicalResult PartitionAttr::verify(function_ref<InFlightDiagnostic()> emitError, FlatSymbolRefAttr function,
                                    int64_t chunks, DenseI64ArrayAttr steps) {
  if (chunks < 1)
    return emitError() << "a partition needs at least one chunk, got " << chunks;
  return success();
}
