// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expansions of math functions of f32, on scalars and vectors. They take precedence over MLIR's.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_MATHPATTERNS_H
#define PLUMB_COMPILER_CODEGEN_COMMON_MATHPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace plumb {

/// `math.sin`, `math.cos` and `math.tan`, exact to about one unit in the last place for every argument; MLIR's
/// polynomials lose the digits of large ones.
void populateTrigonometricPatterns(mlir::RewritePatternSet &patterns);

/// `math.exp`, zero for results below 1.7e-38, with fewer operations than MLIR's.
void populateExpPattern(mlir::RewritePatternSet &patterns);

/// `math.erf` as one polynomial, without a division.
void populateErfPattern(mlir::RewritePatternSet &patterns);

/// Inverse trigonometric and hyperbolic functions, log1p, expm1 and erfc, computed in f64: exact to about half a unit
/// in the last place.
void populateWidePatterns(mlir::RewritePatternSet &patterns);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_MATHPATTERNS_H
