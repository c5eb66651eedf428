// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sine and cosine of 32-bit floats, right to about one unit in the last place
// for every argument, however large.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_SINCOS_H
#define PLUMB_COMPILER_CODEGEN_COMMON_SINCOS_H

#include "mlir/IR/PatternMatch.h"

namespace plumb {

/// Adds patterns that expand `math.sin` and `math.cos` of f32, on numbers and
/// vectors. They win over MLIR's polynomials, which lose the digits of large
/// arguments.
void populateSinCosPatterns(mlir::RewritePatternSet &patterns);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_SINCOS_H
