// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: softmax and cross entropies.

#ifndef PLUMB_DIALECTS_NET_IR_NETSOFTMAXOPS_H
#define PLUMB_DIALECTS_NET_IR_NETSOFTMAXOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetSoftmaxOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETSOFTMAXOPS_H
