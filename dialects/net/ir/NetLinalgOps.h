// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: linear algebra.

#ifndef PLUMB_DIALECTS_NET_IR_NETLINALGOPS_H
#define PLUMB_DIALECTS_NET_IR_NETLINALGOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetLinalgOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETLINALGOPS_H
