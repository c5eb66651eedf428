// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check dialect: assertions, and expectations inside test programs. Its description is in CheckDialect.td.

#ifndef PLUMB_DIALECTS_CHECK_IR_CHECK_H
#define PLUMB_DIALECTS_CHECK_IR_CHECK_H

#include "dialects/types/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/check/ir/CheckDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/check/ir/CheckOps.h.inc"

#endif // PLUMB_DIALECTS_CHECK_IR_CHECK_H
