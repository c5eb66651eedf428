// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: one_hot, gather.

#ifndef PLUMB_DIALECTS_NET_IR_NETINDEXOPS_H
#define PLUMB_DIALECTS_NET_IR_NETINDEXOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetIndexOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETINDEXOPS_H
