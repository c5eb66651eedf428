// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PLUMB_CHECK_OPS_TD
#define PLUMB_CHECK_OPS_TD

include "dialects/check/ir/CheckDialect.td"
include "dialects/types/ir/Types.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Check_Op<string mnemonic>
    : Op<Check_Dialect, mnemonic, [MemoryEffects<[MemWrite]>, AllTypesMatch<["actual", "expected"]>]>;

def Check_AssertOp : Op<Check_Dialect, "assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "ends the launch with an error unless a number is zero";
  let description = [{
    What a custom operator returns must be zero, for example. A step in which `failure` is not zero is the launch's last, and
    an error: `error` says the class of Python's and the text, in which `{}`
    stands for the number, and `{{` and `}}` for braces. Where several fail, the host hears of the first in the order of the
    program. An assertion takes no token, since it changes nothing that others read; it may stand in branches and loops.

    With `values`, `{}` stands for these instead, in their order.

    Behind one that fails `at_once` the step writes and prints nothing more, and loops on tensors end: a program's `raise` and
    `assert`. Behind others the step runs to its end.

    Example:
    ```mlir
    check.assert %failure, "ValueError: the scale must be positive, but is {}" at_once (%scale) : tensor<i32>, tensor<f32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[I32]>:$failure, StrAttr:$error, UnitAttr:$at_once,
                       Variadic<Types_Tensor>:$values);
  let assemblyFormat = [{
    $failure `,` $error (`at_once` $at_once^)? (`(` $values^ `)`)? attr-dict `:` type($failure) (`,` type($values)^)?
  }];
}

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
