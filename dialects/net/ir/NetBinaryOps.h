// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: arithmetic, comparison and logic of two tensors.

#ifndef PLUMB_DIALECTS_NET_IR_NETBINARYOPS_H
#define PLUMB_DIALECTS_NET_IR_NETBINARYOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetBinaryOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETBINARYOPS_H
