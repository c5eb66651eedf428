// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of one or two tensors: trigonometric, hyperbolic, logarithms and exponentials near one, error and
// gamma functions.

#ifndef PLUMB_NET_MATH_OPS_TD
#define PLUMB_NET_MATH_OPS_TD

include "dialects/net/ir/NetBase.td"

// A differentiable function of floats, element by element.
class Net_MathOp<string mnemonic, string signature = "x">
    : Net_Primitive<mnemonic, signature, [Differentiable, SameOperandsAndResultType]> {
  let arguments = (ins Net_FloatTensor:$x);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Net_TanOp : Net_MathOp<"tan"> {
  let summary = "takes the tangent";
  let description = [{
    y = tan x, in radians.

    Example:
    ```mlir
    %y = net.tan %x : tensor<4xf32>
    ```
  }];
}

def Net_AsinOp : Net_MathOp<"asin"> {
  let summary = "takes the inverse sine";
  let description = [{
    y = arcsin x, from -pi/2 to pi/2; NaN beyond -1 and 1.

    Example:
    ```mlir
    %y = net.asin %x : tensor<4xf32>
    ```
  }];
}

def Net_AcosOp : Net_MathOp<"acos"> {
  let summary = "takes the inverse cosine";
  let description = [{
    y = arccos x, from 0 to pi; NaN beyond -1 and 1.

    Example:
    ```mlir
    %y = net.acos %x : tensor<4xf32>
    ```
  }];
}

def Net_AtanOp : Net_MathOp<"atan"> {
  let summary = "takes the inverse tangent";
  let description = [{
    y = arctan x, from -pi/2 to pi/2.

    Example:
    ```mlir
    %y = net.atan %x : tensor<4xf32>
    ```
  }];
}

def Net_SinhOp : Net_MathOp<"sinh"> {
  let summary = "takes the hyperbolic sine";
  let description = [{
    y = (e^x - e^(-x)) / 2, without cancellation near zero.

    Example:
    ```mlir
    %y = net.sinh %x : tensor<4xf32>
    ```
  }];
}

def Net_CoshOp : Net_MathOp<"cosh"> {
  let summary = "takes the hyperbolic cosine";
  let description = [{
    y = (e^x + e^(-x)) / 2.

    Example:
    ```mlir
    %y = net.cosh %x : tensor<4xf32>
    ```
  }];
}

def Net_AsinhOp : Net_MathOp<"asinh"> {
  let summary = "takes the inverse hyperbolic sine";
  let description = [{
    y = ln(x + sqrt(x^2 + 1)), without cancellation at small or negative x.

    Example:
    ```mlir
    %y = net.asinh %x : tensor<4xf32>
    ```
  }];
}

def Net_AcoshOp : Net_MathOp<"acosh"> {
  let summary = "takes the inverse hyperbolic cosine";
  let description = [{
    y = ln(x + sqrt(x^2 - 1)); NaN below 1.

    Example:
    ```mlir
    %y = net.acosh %x : tensor<4xf32>
    ```
  }];
}

def Net_AtanhOp : Net_MathOp<"atanh"> {
  let summary = "takes the inverse hyperbolic tangent";
  let description = [{
    y = ln((1 + x) / (1 - x)) / 2; infinite at -1 and 1, NaN beyond.

    Example:
    ```mlir
    %y = net.atanh %x : tensor<4xf32>
    ```
  }];
}

def Net_Log1pOp : Net_MathOp<"log1p"> {
  let summary = "takes the logarithm of one plus each element";
  let description = [{
    y = ln(1 + x), without cancellation near zero; -inf at -1, NaN below.

    Example:
    ```mlir
    %y = net.log1p %x : tensor<4xf32>
    ```
  }];
}

def Net_Expm1Op : Net_MathOp<"expm1"> {
  let summary = "takes the exponential less one";
  let description = [{
    y = e^x - 1, without cancellation near zero.

    Example:
    ```mlir
    %y = net.expm1 %x : tensor<4xf32>
    ```
  }];
}

def Net_ErfcOp : Net_MathOp<"erfc"> {
  let summary = "takes the complement of the error function";
  let description = [{
    y = 1 - erf x, without cancellation at large x.

    Example:
    ```mlir
    %y = net.erfc %x : tensor<4xf32>
    ```
  }];
}

def Net_ErfinvOp : Net_MathOp<"erfinv"> {
  let summary = "takes the inverse of the error function";
  let description = [{
    The y with erf y = x; infinite at -1 and 1, NaN beyond.

    Example:
    ```mlir
    %y = net.erfinv %x : tensor<4xf32>
    ```
  }];
}

def Net_LgammaOp : Net_MathOp<"lgamma"> {
  let summary = "takes the logarithm of the gamma function's magnitude";
  let description = [{
    y = ln |Gamma(x)|; infinite at 0, -1, -2, …

    Example:
    ```mlir
    %y = net.lgamma %x : tensor<4xf32>
    ```
  }];
}

def Net_PolygammaOp : Net_MathOp<"polygamma", "x, order: int = 0"> {
  let summary = "takes a derivative of the digamma function";
  let description = [{
    y = d^order/dx^order psi(x) with psi(x) = d/dx ln Gamma(x), the digamma function, at order 0. At 0, -1, -2, …, the poles:
    infinite for odd orders; for even ones NaN, but at zero infinite of the sign opposite to that of the zero.

    Constraints:
    * (polygamma_c1) the order is from 0 to 32.

    Example:
    ```mlir
    %y = net.polygamma %x order 1 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, I64Attr:$order);
  let assemblyFormat = "$x `order` $order attr-dict `:` type($x)";
  let hasVerifier = 1;
  let primitiveDeclaration = [{
    static constexpr uint64_t kMaxOrder = 32;
  }];
}

def Net_Atan2Op : Net_Primitive<"atan2", "y, x", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes the angle of a point in the plane";
  let description = [{
    z = the angle of (x, y), from -pi to pi: arctan(y / x) where x is positive. Signs of zeros count as in C's `atan2`.

    Example:
    ```mlir
    %z = net.atan2 %y, %x : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$y, Net_FloatTensor:$x);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = "$y `,` $x attr-dict `:` functional-type(operands, results)";
}

#endif // PLUMB_NET_MATH_OPS_TD
