// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: pooling of images.

#ifndef PLUMB_DIALECTS_NET_IR_NETPOOLOPS_H
#define PLUMB_DIALECTS_NET_IR_NETPOOLOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetPoolOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETPOOLOPS_H
