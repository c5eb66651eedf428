// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Op classes: the statements and expressions of Python functions.

#ifndef PLUMB_DIALECTS_NET_IR_NETPYTHONOPS_H
#define PLUMB_DIALECTS_NET_IR_NETPYTHONOPS_H

#include "dialects/net/ir/NetBase.h"

#define GET_OP_CLASSES
#include "dialects/net/ir/NetPythonOps.h.inc"

#endif // PLUMB_DIALECTS_NET_IR_NETPYTHONOPS_H
