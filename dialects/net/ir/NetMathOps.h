// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: mathematical functions.

#ifndef PLUMB_DIALECTS_NET_IR_NETMATHOPS_H
#define PLUMB_DIALECTS_NET_IR_NETMATHOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetMathOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETMATHOPS_H
