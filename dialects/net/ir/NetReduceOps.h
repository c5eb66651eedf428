// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: sums, means, extrema over axes.

#ifndef PLUMB_DIALECTS_NET_IR_NETREDUCEOPS_H
#define PLUMB_DIALECTS_NET_IR_NETREDUCEOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetReduceOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETREDUCEOPS_H
