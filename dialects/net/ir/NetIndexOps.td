// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that address by integers: tables and classes.

#ifndef PLUMB_NET_INDEX_OPS_TD
#define PLUMB_NET_INDEX_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_OneHotOp : Net_Primitive<"one_hot", "indices, depth: int, on: float = 1.0, off: float = 0.0, dtype: dtype = f32", [InferTypeOpAdaptor]> {
  let summary = "marks each index in a row of its own";
  let description = [{
    y[..., c] = on where c is the index, off elsewhere; an index outside the row marks nothing.

    Example:
    ```mlir
    %y = net.one_hot %i depth 10 on 1.0 off 0.0 as f32 : (tensor<32xi32>) -> tensor<32x10xf32>
    ```
  }];
  let arguments = (ins Net_IndexTensor:$indices, I64Attr:$depth, F64Attr:$on, F64Attr:$off, TypeAttr:$dtype);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = [{
    $indices `depth` $depth `on` $on `off` $off `as` $dtype attr-dict `:` functional-type(operands, results)
  }];
}

def Net_FromFrontOp : Net_Primitive<"from_front", "indices, extent: int, wrap: bool = True", [InferTypeOpAdaptor, Indexing]> {
  let summary = "counts indices of an axis from its front";
  let description = [{
    y = i, or i + extent where i is negative: indices from 0 to extent - 1. One outside -extent to extent - 1 is an error, as
    it is for net.gather: what is computed from several indices, such as an element's number, needs no further check. Without
    `wrap` y = i, and a negative index is an error, too. The result is of i32 where the elements of `indices` are narrower.

    Constraints:
    * (from_front_c1) the extent is not negative;
    * (from_front_c2) it is a number of the result's type.

    Example:
    ```mlir
    %j = net.from_front %i extent 100 : (tensor<32xi64>) -> tensor<32xi64>
    ```
  }];
  let arguments = (ins Net_IndexTensor:$indices, I64Attr:$extent, DefaultValuedAttr<BoolAttr, "true">:$wrap);
  let results = (outs Net_IndexTensor:$result);
  let assemblyFormat = [{
    $indices `extent` $extent attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_GatherOp : Net_Primitive<"gather", "x, indices, axis: int = 0, batch: int = 0", [
    InferTypeOpAdaptor, Differentiable, Indexing]> {
  let summary = "takes slices of a tensor by number";
  let description = [{
    The result's shape is x's with the axis replaced by the shape of `indices`. The first `batch` axes are common to x and
    `indices` and stay: each of their positions has indices of its own.
    With `wrap` a negative index counts from the end of the axis, as in Python's `x[i]`.
    An index outside the axis is an error: the host refuses batches that hold one (`plumb-annotate-column-ranges`), and
    a step that computes one ends its launch (`plumb-insert-index-checks`). The op itself clamps it, so that it reads
    no memory but its own.

    Constraints:
    * (gather_c1) the axis exists;
    * (gather_c2) the batch axes come before it, and x and the indices have the same extents there;
    * (gather_c3) there is something along the axis, or no index.

    Example:
    ```mlir
    %y = net.gather %x, %i axis 0 : (tensor<100x8xf32>, tensor<32xi32>) -> tensor<32x8xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, Net_IndexTensor:$indices, I64Attr:$axis, UnitAttr:$wrap,
                       DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `axis` $axis (`wrap` $wrap^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Net_GatherGradOp : Net_Kernel<"gather_grad", [InferTypeOpAdaptor, Differentiable, Indexing, Accumulates]> {
  let summary = "adds slices into zeros by number";
  let description = [{
    The adjoint of net.gather: zeros of `shape`, to which each slice of `dy` is added at its index.
    `wrap` and `batch` are as in net.gather.

    Example:
    ```mlir
    %dx = net.gather_grad %dy, %i into [100, 8] axis 0 : (tensor<32x8xf32>, tensor<32xi32>) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$dy, Net_IndexTensor:$indices, DenseI64ArrayAttr:$shape, I64Attr:$axis,
                       UnitAttr:$wrap, DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $dy `,` $indices `into` $shape `axis` $axis (`wrap` $wrap^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Net_ScatterOp : Net_Primitive<"scatter", "x, indices, updates, mode: str, batch: int = 0", [
    InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "changes slices of a tensor by number";
  let description = [{
    x, in which for each m in order the slice x[…, indices[…, m], …] is changed by updates[…, m, …]: to it by mode "update", to
    a sum, difference, product, quotient, maximum or minimum of both by "add", "sub", "mul", "div", "max" or "min". An index
    outside changes nothing. The shapes are B × N × R of x, B × M of the indices and B × M × R of the updates, where B are
    `batch` axes, N and M one axis each and R any.
    The adjoint of "update" goes to the update that was the last at its index; "max" and "min" share theirs among equals.

    Constraints:
    * (scatter_c1) the shapes are as above;
    * (scatter_c2) x and the updates have one element type;
    * (scatter_c3) the mode is one of those.

    Example:
    ```mlir
    %y = net.scatter %x, %i, %u mode "add" : (tensor<100x8xf32>, tensor<32xi32>, tensor<32x8xf32>) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, Net_IndexTensor:$indices, Net_AnyTensor:$updates, StrAttr:$mode,
                       DefaultValuedAttr<I64Attr, "0">:$batch);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `,` $updates `mode` $mode attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_INDEX_OPS_TD
