// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that come from no other tensor's elements: constants, tensors of one number, random ones.

#ifndef PLUMB_NET_CONSTANT_OPS_TD
#define PLUMB_NET_CONSTANT_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_ConstantOp : Net_Op<"constant", [
    Pure, ConstantLike, AllTypesMatch<["value", "result"]>, Lowerable]> {
  let summary = "yields a tensor known while compiling";
  let description = [{
    Example:
    ```mlir
    %0 = net.constant dense<1.0> : tensor<4xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def Net_FillOp : Net_Primitive<"fill", "dtype: dtype, shape: ints, value: float", [InferTypeOpAdaptor]> {
  let summary = "yields a tensor of one number";
  let description = [{
    Folds to a constant.

    Example:
    ```mlir
    %0 = net.fill f32 [2, 3] value 1.0 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins TypeAttr:$dtype, DenseI64ArrayAttr:$shape, F64Attr:$value);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $dtype $shape `value` $value attr-dict `:` type($result)
  }];
  let hasFolder = 1;
}

def Net_EyeOp : Net_Primitive<"eye", "n: int, m: int, dtype: dtype = f32", [InferTypeOpAdaptor]> {
  let summary = "yields ones on the diagonal of a matrix";
  let description = [{
    Zeros stand elsewhere.

    Example:
    ```mlir
    %0 = net.eye 3 by 4 of f32 : tensor<3x4xf32>
    ```
  }];
  let arguments = (ins I64Attr:$n, I64Attr:$m, TypeAttr:$dtype);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $n `by` $m `of` $dtype attr-dict `:` type($result)
  }];
}

def Net_ZerosLikeOp : Net_Primitive<"zeros_like", "x", [SameOperandsAndResultType]> {
  let summary = "yields zeros of a tensor's type";
  let description = [{
    Folds to a constant.

    Example:
    ```mlir
    %0 = net.zeros_like %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x attr-dict `:` type($x)
  }];
  let hasFolder = 1;
}

def Net_OnesLikeOp : Net_Primitive<"ones_like", "x", [SameOperandsAndResultType]> {
  let summary = "yields ones of a tensor's type";
  let description = [{
    Folds to a constant.

    Example:
    ```mlir
    %0 = net.ones_like %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x attr-dict `:` type($x)
  }];
  let hasFolder = 1;
}

def Net_IotaOp : Net_Primitive<"iota", "shape: ints, axis: int = 0, dtype: dtype = i32", [InferTypeOpAdaptor]> {
  let summary = "yields each element's position along an axis";
  let description = [{
    y[…, k, …] = k, with k on the axis.

    Constraints:
    * (iota_c1) the axis exists.

    Example:
    ```mlir
    %0 = net.iota [2, 3] axis 1 of i32 : tensor<2x3xi32>
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, I64Attr:$axis, TypeAttr:$dtype);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = [{
    $shape `axis` $axis `of` $dtype attr-dict `:` type($result)
  }];
}

def Net_RandomUniformOp : Net_Primitive<"random_uniform", "key, counter, shape: ints", [InferTypeOpAdaptor]> {
  let summary = "yields random numbers of [0, 1)";
  let description = [{
    Element i is a function of (key, counter, i) alone, Philox2x32-10 with 24 bits kept: equal keys and
    counters give equal numbers. Who wants other numbers in each step keeps a counter as a parameter and
    advances it, so numbers depend neither on how steps are launched nor on what else is drawn.

    Constraints:
    * (random_uniform_c1) key and counter are single numbers.

    Example:
    ```mlir
    %0 = net.random_uniform %key, %counter shape [2, 3] : (tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins 0DTensorOf<[I32]>:$key, 0DTensorOf<[I32]>:$counter, DenseI64ArrayAttr:$shape);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $key `,` $counter `shape` $shape attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_CONSTANT_OPS_TD
