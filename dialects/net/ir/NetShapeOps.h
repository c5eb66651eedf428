// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: reshape, transpose, slices and their like.

#ifndef PLUMB_DIALECTS_NET_IR_NETSHAPEOPS_H
#define PLUMB_DIALECTS_NET_IR_NETSHAPEOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetShapeOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETSHAPEOPS_H
