// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/check/ir/Check.h"

using namespace mlir;
using namespace plumb::check;

#include "dialects/check/ir/CheckDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/check/ir/CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/check/ir/CheckOps.cpp.inc"
      >();
}

LogicalResult ExpectCloseOp::verify() {
  if (getRtol().isNegative() || getAtol().isNegative())
    return emitOpError("has a negative tolerance (expect_close_c2)");
  return success();
}
