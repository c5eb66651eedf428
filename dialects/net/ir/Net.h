// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole net dialect in one include. A file that needs one theme includes that theme alone.

#ifndef PLUMB_DIALECTS_NET_IR_NET_H
#define PLUMB_DIALECTS_NET_IR_NET_H

#include "dialects/net/ir/NetAxisOps.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetLinalgOps.h"
#include "dialects/net/ir/NetMathOps.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetPoolOps.h"
#include "dialects/net/ir/NetPythonOps.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/NetSoftmaxOps.h"
#include "dialects/net/ir/NetStateOps.h"

#endif // PLUMB_DIALECTS_NET_IR_NET_H
