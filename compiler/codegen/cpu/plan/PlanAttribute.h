// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans as attributes, and what two of them have in common.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANATTRIBUTE_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANATTRIBUTE_H

#include "compiler/codegen/cpu/plan/PlannedOp.h"

namespace plumb {

/// The plan as an attribute.
kernel::PlanAttr makeAttribute(const PlannedOp &planned, double cycles);

/// Whether both plans of one operation add the terms of every sum in the same order, so that results have the same
/// bits. False where that is not known.
bool addInSameOrder(const PlannedOp &a, const PlannedOp &b);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_PLANATTRIBUTE_H
