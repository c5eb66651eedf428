// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of small floats, on scalars and vectors. LLVM would call functions that executables do not have.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_SMALLFLOATPATTERNS_H
#define PLUMB_COMPILER_CODEGEN_COMMON_SMALLFLOATPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace plumb {

/// Between f16 and f32, by integers.
void populateHalfPatterns(mlir::RewritePatternSet &patterns);

/// Between f64 and f16 or bf16, by way of f32, with one rounding.
void populateSmallDoublePatterns(mlir::RewritePatternSet &patterns);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_SMALLFLOATPATTERNS_H
