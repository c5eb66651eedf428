// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: value_and_grad, stop_gradient.

#ifndef PLUMB_DIALECTS_NET_IR_NETGRADOPS_H
#define PLUMB_DIALECTS_NET_IR_NETGRADOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetGradOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETGRADOPS_H
