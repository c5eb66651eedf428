// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: matrix products and convolutions.

#ifndef PLUMB_DIALECTS_NET_IR_NETCONTRACTIONOPS_H
#define PLUMB_DIALECTS_NET_IR_NETCONTRACTIONOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetContractionOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETCONTRACTIONOPS_H
