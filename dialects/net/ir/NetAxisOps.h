// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: scans and sorting along an axis.

#ifndef PLUMB_DIALECTS_NET_IR_NETAXISOPS_H
#define PLUMB_DIALECTS_NET_IR_NETAXISOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetAxisOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETAXISOPS_H
