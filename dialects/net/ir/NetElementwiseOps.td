// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of one tensor, and the two that choose and convert elements.

#ifndef PLUMB_NET_ELEMENTWISE_OPS_TD
#define PLUMB_NET_ELEMENTWISE_OPS_TD

include "dialects/net/ir/NetBase.td"

class Net_UnaryOp<string mnemonic, Type type, list<Trait> traits = [], string signature = "x">
    : Net_Primitive<mnemonic, signature, traits # [SameOperandsAndResultType]> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Net_NegOp : Net_UnaryOp<"neg", Net_AnyTensor, [Differentiable]> {
  let summary = "negates each element";
  let description = [{
    y = -x.

    Example:
    ```mlir
    %y = net.neg %x : tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_AbsOp : Net_UnaryOp<"abs", Net_Tensor, [Differentiable]> {
  let summary = "takes each element's magnitude";
  let description = [{
    y = |x|; the adjoint at zero is zero.

    Example:
    ```mlir
    %y = net.abs %x : tensor<4xf32>
    ```
  }];
}

def Net_ExpOp : Net_UnaryOp<"exp", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "raises e to each element";
  let description = [{
    y = e^x.

    Example:
    ```mlir
    %y = net.exp %x : tensor<4xf32>
    ```
  }];
}

def Net_LogOp : Net_UnaryOp<"log", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes the natural logarithm";
  let description = [{
    y = ln x; -inf at zero, NaN below.

    Example:
    ```mlir
    %y = net.log %x : tensor<4xf32>
    ```
  }];
}

def Net_SqrtOp : Net_UnaryOp<"sqrt", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes the square root";
  let description = [{
    y = x^(1/2); NaN below zero.

    Example:
    ```mlir
    %y = net.sqrt %x : tensor<4xf32>
    ```
  }];
}

def Net_RsqrtOp : Net_UnaryOp<"rsqrt", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes one over the square root";
  let description = [{
    y = x^(-1/2).

    Example:
    ```mlir
    %y = net.rsqrt %x : tensor<4xf32>
    ```
  }];
}

def Net_SquareOp : Net_UnaryOp<"square", Net_AnyTensor, [Differentiable]> {
  let summary = "squares each element";
  let description = [{
    y = x * x.

    Example:
    ```mlir
    %y = net.square %x : tensor<4xf32>
    ```
  }];
}

def Net_ReciprocalOp : Net_UnaryOp<"reciprocal", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes one over each element";
  let description = [{
    y = 1 / x.

    Example:
    ```mlir
    %y = net.reciprocal %x : tensor<4xf32>
    ```
  }];
}

def Net_SinOp : Net_UnaryOp<"sin", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes the sine";
  let description = [{
    y = sin x, in radians.

    Example:
    ```mlir
    %y = net.sin %x : tensor<4xf32>
    ```
  }];
}

def Net_CosOp : Net_UnaryOp<"cos", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes the cosine";
  let description = [{
    y = cos x, in radians.

    Example:
    ```mlir
    %y = net.cos %x : tensor<4xf32>
    ```
  }];
}

def Net_TanhOp : Net_UnaryOp<"tanh", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes the hyperbolic tangent";
  let description = [{
    y = tanh x.

    Example:
    ```mlir
    %y = net.tanh %x : tensor<4xf32>
    ```
  }];
}

def Net_SigmoidOp : Net_UnaryOp<"sigmoid", Net_FloatOrComplexTensor, [Differentiable]> {
  let summary = "takes the logistic function";
  let description = [{
    y = 1 / (1 + e^(-x)).

    Example:
    ```mlir
    %y = net.sigmoid %x : tensor<4xf32>
    ```
  }];
}

def Net_ReluOp : Net_UnaryOp<"relu", Net_Tensor, [Differentiable]> {
  let summary = "cuts off below zero";
  let description = [{
    y = max(x, 0); the adjoint at zero is zero.

    Example:
    ```mlir
    %y = net.relu %x : tensor<4xf32>
    ```
  }];
}

def Net_Relu6Op : Net_UnaryOp<"relu6", Net_Tensor, [Differentiable]> {
  let summary = "cuts off below zero and above six";
  let description = [{
    y = min(max(x, 0), 6); the adjoint at zero is zero, at six it passes, as in MindSpore.

    Example:
    ```mlir
    %y = net.relu6 %x : tensor<4xf32>
    ```
  }];
}

def Net_GeluOp : Net_UnaryOp<"gelu", Net_FloatTensor, [Differentiable], "x, approximate: bool = True"> {
  let summary = "takes the Gaussian error linear unit";
  let description = [{
    y = x * P(X <= x) for a standard normal X. With `approximate` the tanh form is used:
    y = 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).

    Example:
    ```mlir
    %y = net.gelu %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, DefaultValuedAttr<BoolAttr, "true">:$approximate);
}

def Net_ErfOp : Net_UnaryOp<"erf", Net_FloatTensor, [Differentiable]> {
  let summary = "takes the error function";
  let description = [{
    y = 2/sqrt(pi) * integral of e^(-t^2) from 0 to x.

    Example:
    ```mlir
    %y = net.erf %x : tensor<4xf32>
    ```
  }];
}

def Net_FloorOp : Net_UnaryOp<"floor", Net_FloatTensor, []> {
  let summary = "rounds down";
  let description = [{
    y = the largest whole number not above x. No gradient passes.

    Example:
    ```mlir
    %y = net.floor %x : tensor<4xf32>
    ```
  }];
}

def Net_CeilOp : Net_UnaryOp<"ceil", Net_FloatTensor, []> {
  let summary = "rounds up";
  let description = [{
    y = the smallest whole number not below x. No gradient passes.

    Example:
    ```mlir
    %y = net.ceil %x : tensor<4xf32>
    ```
  }];
}

def Net_RoundOp : Net_UnaryOp<"round", Net_FloatTensor, []> {
  let summary = "rounds to the nearest whole number";
  let description = [{
    y = the whole number next to x; of two equally near the even one. No gradient passes.

    Example:
    ```mlir
    %y = net.round %x : tensor<4xf32>
    ```
  }];
}

def Net_TruncOp : Net_UnaryOp<"trunc", Net_FloatTensor, []> {
  let summary = "cuts off the fraction";
  let description = [{
    y = the whole number next to x towards zero. No gradient passes.

    Example:
    ```mlir
    %y = net.trunc %x : tensor<4xf32>
    ```
  }];
}

def Net_SignOp : Net_UnaryOp<"sign", Net_AnyTensor, []> {
  let summary = "takes the sign";
  let description = [{
    y = 1 above zero, -1 below, 0 at zero. No gradient passes.

    Example:
    ```mlir
    %y = net.sign %x : tensor<4xf32>
    ```
  }];
}

def Net_LogicalNotOp : Net_UnaryOp<"logical_not", Net_BoolTensor, []> {
  let summary = "negates each boolean";
  let description = [{
    y = not x.

    Example:
    ```mlir
    %y = net.logical_not %x : tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

class Net_FloatTestOp<string mnemonic>
    : Net_Primitive<mnemonic, "x", [SameOperandsAndResultShape, InferTypeOpAdaptor]> {
  let arguments = (ins Net_FloatOrComplexTensor:$x);
  let results = (outs Net_BoolTensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type($x, results)";
}

def Net_IsNanOp : Net_FloatTestOp<"is_nan"> {
  let summary = "tests for NaN";
  let description = [{
    y = whether x is NaN.

    Example:
    ```mlir
    %y = net.is_nan %x : (tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
}

def Net_IsInfOp : Net_FloatTestOp<"is_inf"> {
  let summary = "tests for infinity";
  let description = [{
    y = whether x is infinite, of either sign.

    Example:
    ```mlir
    %y = net.is_inf %x : (tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
}

def Net_IsFiniteOp : Net_FloatTestOp<"is_finite"> {
  let summary = "tests for finite numbers";
  let description = [{
    y = whether x is neither infinite nor NaN.

    Example:
    ```mlir
    %y = net.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
}

def Net_BitcastOp : Net_Primitive<"bitcast", "x, dtype: dtype", [SameOperandsAndResultShape, InferTypeOpAdaptor]> {
  let summary = "reads each element's bits as another type";
  let description = [{
    y = the number of type `dtype` that has the bits of x. No gradient passes.

    Constraints:
    * (bitcast_c1) both types have as many bits, more than one.

    Example:
    ```mlir
    %y = net.bitcast %x to i32 : (tensor<4xf32>) -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Net_Tensor:$x, TypeAttr:$dtype);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = "$x `to` $dtype attr-dict `:` functional-type($x, results)";
}

def Net_CastOp : Net_Primitive<"cast", "x, dtype: dtype", [
    SameOperandsAndResultShape, InferTypeOpAdaptor, Differentiable]> {
  let summary = "converts each element to another type";
  let description = [{
    Floats become integers by cutting off the fraction; numbers become booleans by
    comparing with zero. The gradient passes between floats only.

    Example:
    ```mlir
    %y = net.cast %x to f32 : (tensor<4xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, TypeAttr:$dtype);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$x `to` $dtype attr-dict `:` functional-type($x, results)";
  let hasFolder = 1;
}

def Net_SelectOp : Net_Primitive<"select", "condition, x, y", [
    InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes each element from one of two tensors";
  let description = [{
    `x` where the condition holds, `y` elsewhere; all three broadcast.

    Example:
    ```mlir
    %r = net.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_BoolTensor:$condition, Net_AnyTensor:$x, Net_AnyTensor:$y);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$condition `,` $x `,` $y attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

#endif // PLUMB_NET_ELEMENTWISE_OPS_TD
