// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: fewer elements out than in.

#ifndef PLUMB_NET_REDUCE_OPS_TD
#define PLUMB_NET_REDUCE_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_ReduceSumOp : Net_Primitive<"reduce_sum", "x, axis: ints = [], keep_dims: bool = False", [InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "adds along axes";
  let description = [{
    y = sum of x. Over all axes when `axis` is empty.

    Example:
    ```mlir
    %y = net.reduce_sum %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$axis, DefaultValuedAttr<BoolAttr, "false">:$keep_dims);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `over` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_ReduceMeanOp : Net_Primitive<"reduce_mean", "x, axis: ints = [], keep_dims: bool = False", [InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "averages along axes";
  let description = [{
    y = sum of x / count. Over all axes when `axis` is empty.

    Example:
    ```mlir
    %y = net.reduce_mean %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Net_FloatOrComplexTensor:$x, DenseI64ArrayAttr:$axis, DefaultValuedAttr<BoolAttr, "false">:$keep_dims);
  let results = (outs Net_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $x `over` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_ReduceMaxOp : Net_Primitive<"reduce_max", "x, axis: ints = [], keep_dims: bool = False", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes the largest along axes";
  let description = [{
    The adjoint is shared evenly among equal largest elements. Over all axes when `axis` is empty.

    Example:
    ```mlir
    %y = net.reduce_max %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Net_Tensor:$x, DenseI64ArrayAttr:$axis, DefaultValuedAttr<BoolAttr, "false">:$keep_dims);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_ReduceMinOp : Net_Primitive<"reduce_min", "x, axis: ints = [], keep_dims: bool = False", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes the smallest along axes";
  let description = [{
    The adjoint is shared evenly among equal smallest elements. Over all axes when `axis` is empty.

    Example:
    ```mlir
    %y = net.reduce_min %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Net_Tensor:$x, DenseI64ArrayAttr:$axis, DefaultValuedAttr<BoolAttr, "false">:$keep_dims);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = [{
    $x `over` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_ReduceProdOp : Net_Primitive<"reduce_prod", "x, axis: ints = [], keep_dims: bool = False", [InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "multiplies along axes";
  let description = [{
    y = product of x; the adjoint is right for zeros too. Over all axes when `axis` is empty.

    Example:
    ```mlir
    %y = net.reduce_prod %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$axis, DefaultValuedAttr<BoolAttr, "false">:$keep_dims);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `over` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_ArgmaxOp : Net_Primitive<"argmax", "x, axis: int = -1", [InferTypeOpAdaptor]> {
  let summary = "finds the place of the largest along an axis";
  let description = [{
    The first such place, as i32. A NaN counts as the largest: the place of the first one.

    Example:
    ```mlir
    %y = net.argmax %x axis -1 : (tensor<2x3xf32>) -> tensor<2xi32>
    ```
  }];
  let arguments = (ins Net_Tensor:$x, I64Attr:$axis);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = [{
    $x `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Net_ArgminOp : Net_Primitive<"argmin", "x, axis: int = -1", [InferTypeOpAdaptor]> {
  let summary = "finds the position of the smallest along an axis";
  let description = [{
    The first such position, as i32. A NaN counts as the smallest: the position of the first one.

    Example:
    ```mlir
    %y = net.argmin %x axis -1 : (tensor<2x3xf32>) -> tensor<2xi32>
    ```
  }];
  let arguments = (ins Net_Tensor:$x, I64Attr:$axis);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = [{
    $x `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_REDUCE_OPS_TD
