// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: constants and tensors of one number.

#ifndef PLUMB_DIALECTS_NET_IR_NETCONSTANTOPS_H
#define PLUMB_DIALECTS_NET_IR_NETCONSTANTOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetConstantOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETCONSTANTOPS_H
