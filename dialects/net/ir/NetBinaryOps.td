// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of two tensors: arithmetic, comparison, logic.

#ifndef PLUMB_NET_BINARY_OPS_TD
#define PLUMB_NET_BINARY_OPS_TD

include "dialects/net/ir/NetBase.td"

// Two tensors of one element type; shapes broadcast from the right as NumPy's do.
class Net_BinaryOp<string mnemonic, list<Trait> traits = [], Type type = Net_Tensor>
    : Net_Primitive<mnemonic, "x, y", traits # [SameOperandsElementType, InferTypeOpAdaptor]> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` functional-type(operands, results)";
}

class Net_ArithmeticOp<string mnemonic, list<Trait> traits = [], Type type = Net_Tensor>
    : Net_BinaryOp<mnemonic, traits, type>;

class Net_ComparisonOp<string mnemonic, list<Trait> traits = [], Type type = Net_Tensor>
    : Net_BinaryOp<mnemonic, traits, type> {
  let results = (outs Net_BoolTensor:$result);
}

// Bits of integers; booleans are integers of one bit.
class Net_BitwiseOp<string mnemonic, list<Trait> traits = []> : Net_BinaryOp<mnemonic, traits> {
  let arguments = (ins Net_IntegerTensor:$x, Net_IntegerTensor:$y);
  let results = (outs Net_IntegerTensor:$result);
}

class Net_LogicalOp<string mnemonic, list<Trait> traits = []> : Net_BinaryOp<mnemonic, traits> {
  let arguments = (ins Net_BoolTensor:$x, Net_BoolTensor:$y);
  let results = (outs Net_BoolTensor:$result);
}

def Net_AddOp : Net_ArithmeticOp<"add", [Differentiable, Commutative], Net_AnyTensor> {
  let summary = "adds";
  let description = [{
    z = x + y.

    Example:
    ```mlir
    %z = net.add %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_SubOp : Net_ArithmeticOp<"sub", [Differentiable], Net_AnyTensor> {
  let summary = "subtracts";
  let description = [{
    z = x - y.

    Example:
    ```mlir
    %z = net.sub %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_MulOp : Net_ArithmeticOp<"mul", [Differentiable, Commutative], Net_AnyTensor> {
  let summary = "multiplies";
  let description = [{
    z = x * y.

    Example:
    ```mlir
    %z = net.mul %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_DivOp : Net_ArithmeticOp<"div", [Differentiable], Net_AnyTensor> {
  let summary = "divides";
  let description = [{
    z = x / y; integers divide towards zero.

    Example:
    ```mlir
    %z = net.div %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_PowOp : Net_ArithmeticOp<"pow", [Differentiable], Net_AnyTensor> {
  let summary = "raises to a power";
  let description = [{
    z = x^y. The adjoint of y is zero where x is not positive.

    Example:
    ```mlir
    %z = net.pow %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_MaximumOp : Net_ArithmeticOp<"maximum", [Differentiable]> {
  let summary = "takes the larger";
  let description = [{
    z = max(x, y); NaN if either is. Where both are equal each gets half of the adjoint.

    Example:
    ```mlir
    %z = net.maximum %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_MinimumOp : Net_ArithmeticOp<"minimum", [Differentiable]> {
  let summary = "takes the smaller";
  let description = [{
    z = min(x, y); NaN if either is. Where both are equal each gets half of the adjoint.

    Example:
    ```mlir
    %z = net.minimum %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let hasFolder = 1;
}

def Net_FloorDivOp : Net_ArithmeticOp<"floor_div", []> {
  let summary = "divides and rounds down";
  let description = [{
    z = floor(x / y), as Python's `//`. No gradient passes.

    Example:
    ```mlir
    %z = net.floor_div %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
}

def Net_ModOp : Net_ArithmeticOp<"mod", [Differentiable]> {
  let summary = "takes the remainder";
  let description = [{
    z = x - floor(x / y) * y, as Python's `%`: the sign is that of y. Integers modulo 0 are 0.

    Example:
    ```mlir
    %z = net.mod %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
}

def Net_RemOp : Net_ArithmeticOp<"rem", [Differentiable]> {
  let summary = "takes the remainder of division towards zero";
  let description = [{
    z = x - trunc(x / y) * y, as C's `%`: the sign is that of x. Integers modulo 0 are 0.

    Example:
    ```mlir
    %z = net.rem %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
}

def Net_EqualOp : Net_ComparisonOp<"equal", [Commutative], Net_AnyTensor> {
  let summary = "compares for equality";
  let description = [{
    z = x == y.

    Example:
    ```mlir
    %z = net.equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    ```
  }];
}

def Net_NotEqualOp : Net_ComparisonOp<"not_equal", [Commutative], Net_AnyTensor> {
  let summary = "compares for difference";
  let description = [{
    z = x != y.

    Example:
    ```mlir
    %z = net.not_equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    ```
  }];
}

def Net_LessOp : Net_ComparisonOp<"less", []> {
  let summary = "compares";
  let description = [{
    z = x < y; false if either is NaN.

    Example:
    ```mlir
    %z = net.less %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    ```
  }];
}

def Net_LessEqualOp : Net_ComparisonOp<"less_equal", []> {
  let summary = "compares";
  let description = [{
    z = x <= y; false if either is NaN.

    Example:
    ```mlir
    %z = net.less_equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    ```
  }];
}

def Net_GreaterOp : Net_ComparisonOp<"greater", []> {
  let summary = "compares";
  let description = [{
    z = x > y; false if either is NaN.

    Example:
    ```mlir
    %z = net.greater %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    ```
  }];
}

def Net_GreaterEqualOp : Net_ComparisonOp<"greater_equal", []> {
  let summary = "compares";
  let description = [{
    z = x >= y; false if either is NaN.

    Example:
    ```mlir
    %z = net.greater_equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
    ```
  }];
}

def Net_LogicalAndOp : Net_LogicalOp<"logical_and", [Commutative]> {
  let summary = "takes both";
  let description = [{
    z = x and y.

    Example:
    ```mlir
    %z = net.logical_and %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

def Net_LogicalOrOp : Net_LogicalOp<"logical_or", [Commutative]> {
  let summary = "takes either";
  let description = [{
    z = x or y.

    Example:
    ```mlir
    %z = net.logical_or %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    ```
  }];
  let hasFolder = 1;
}

def Net_BitwiseAndOp : Net_BitwiseOp<"bitwise_and", [Commutative]> {
  let summary = "keeps the bits that both have";
  let description = [{
    z = x & y.

    Example:
    ```mlir
    %z = net.bitwise_and %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    ```
  }];
}

def Net_BitwiseOrOp : Net_BitwiseOp<"bitwise_or", [Commutative]> {
  let summary = "keeps the bits that either has";
  let description = [{
    z = x | y.

    Example:
    ```mlir
    %z = net.bitwise_or %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    ```
  }];
}

def Net_BitwiseXorOp : Net_BitwiseOp<"bitwise_xor", [Commutative]> {
  let summary = "keeps the bits that one of both has";
  let description = [{
    z = x ^ y.

    Example:
    ```mlir
    %z = net.bitwise_xor %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    ```
  }];
}

def Net_LeftShiftOp : Net_BitwiseOp<"left_shift", []> {
  let summary = "shifts bits to higher positions";
  let description = [{
    z = x << y; 0 where y is at least the number of bits. y is not negative.

    Example:
    ```mlir
    %z = net.left_shift %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    ```
  }];
}

def Net_RightShiftOp : Net_BitwiseOp<"right_shift", []> {
  let summary = "shifts bits to lower positions";
  let description = [{
    z = x >> y; signed numbers keep their sign, however far they are shifted. y is not negative.

    Example:
    ```mlir
    %z = net.right_shift %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    ```
  }];
}

#endif // PLUMB_NET_BINARY_OPS_TD
