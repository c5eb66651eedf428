// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: cells, parameters, functions, the entry.

#ifndef PLUMB_DIALECTS_NET_IR_NETMODULEOPS_H
#define PLUMB_DIALECTS_NET_IR_NETMODULEOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetModuleOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETMODULEOPS_H
