// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PLUMB_CHECK_OPS_TD
#define PLUMB_CHECK_OPS_TD

include "dialects/check/ir/CheckDialect.td"
include "dialects/types/ir/Types.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Check_Op<string mnemonic>
    : Op<Check_Dialect, mnemonic, [MemoryEffects<[MemWrite]>, AllTypesMatch<["actual", "expected"]>]>;

def Check_ExpectEqOp : Check_Op<"expect_eq"> {
  let summary = "expects two tensors to be equal, element by element";
  let description = [{
    Its report counts the elements that differ. A NaN differs from everything, itself included.

    Example:
    ```mlir
    check.expect_eq %sum, %expected : tensor<2xf32>
    ```
  }];
  let arguments = (ins Types_Tensor:$actual, Types_Tensor:$expected);
  let assemblyFormat = "$actual `,` $expected attr-dict `:` type($actual)";
}

def Check_ExpectCloseOp : Check_Op<"expect_close"> {
  let summary = "expects two tensors to be equal up to rounding";
  let description = [{
    Its report counts the elements for which `|actual - expected| <= atol + rtol * |expected|` does not hold (NumPy's
    `allclose`); a NaN never holds.

    Constraints:
    * (expect_close_c1) the elements are floating point numbers;
    * (expect_close_c2) neither tolerance is negative.

    Example:
    ```mlir
    check.expect_close %tanh, %expected {atol = 1.0e-6 : f64, rtol = 1.0e-5 : f64} : tensor<3xf32>
    ```
  }];
  let arguments = (ins Types_TensorOf<[Types_Float]>:$actual, Types_TensorOf<[Types_Float]>:$expected,
                       DefaultValuedAttr<F64Attr, "1e-5">:$rtol, DefaultValuedAttr<F64Attr, "1e-8">:$atol);
  let assemblyFormat = "$actual `,` $expected attr-dict `:` type($actual)";
  let hasVerifier = 1;
}

#endif // PLUMB_CHECK_OPS_TD
