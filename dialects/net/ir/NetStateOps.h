// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: parameters read and written, prints, tokens.

#ifndef PLUMB_DIALECTS_NET_IR_NETSTATEOPS_H
#define PLUMB_DIALECTS_NET_IR_NETSTATEOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetStateOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETSTATEOPS_H
