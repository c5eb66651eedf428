// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All records of the device dialect.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICEOPS_TD
#define PLUMB_DIALECTS_DEVICE_IR_DEVICEOPS_TD

include "dialects/device/ir/DeviceAttrs.td"
include "dialects/device/ir/DeviceDeclarationOps.td"
include "dialects/device/ir/DeviceLoopOps.td"
include "dialects/device/ir/DeviceMemoryOps.td"

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICEOPS_TD
