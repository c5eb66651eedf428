// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: elementwise ops of one tensor, cast, select.

#ifndef PLUMB_DIALECTS_NET_IR_NETELEMENTWISEOPS_H
#define PLUMB_DIALECTS_NET_IR_NETELEMENTWISEOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetElementwiseOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETELEMENTWISEOPS_H
