// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every record of the dialect, for its generated page. Code is generated theme by theme.

#ifndef PLUMB_NET_TD
#define PLUMB_NET_TD

include "dialects/net/ir/NetModuleOps.td"
include "dialects/net/ir/NetPythonOps.td"
include "dialects/net/ir/NetStateOps.td"
include "dialects/net/ir/NetGradOps.td"
include "dialects/net/ir/NetConstantOps.td"
include "dialects/net/ir/NetElementwiseOps.td"
include "dialects/net/ir/NetBinaryOps.td"
include "dialects/net/ir/NetMathOps.td"
include "dialects/net/ir/NetShapeOps.td"
include "dialects/net/ir/NetReduceOps.td"
include "dialects/net/ir/NetAxisOps.td"
include "dialects/net/ir/NetContractionOps.td"
include "dialects/net/ir/NetLinalgOps.td"
include "dialects/net/ir/NetPoolOps.td"
include "dialects/net/ir/NetSoftmaxOps.td"
include "dialects/net/ir/NetIndexOps.td"

#endif // PLUMB_NET_TD
