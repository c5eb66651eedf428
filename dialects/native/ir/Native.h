// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native dialect: functions of C that a program brings along. Its description is in NativeDialect.td.

#ifndef PLUMB_DIALECTS_NATIVE_IR_NATIVE_H
#define PLUMB_DIALECTS_NATIVE_IR_NATIVE_H

#include "dialects/types/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/native/ir/NativeDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/native/ir/NativeAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/native/ir/NativeOps.h.inc"

#endif // PLUMB_DIALECTS_NATIVE_IR_NATIVE_H
