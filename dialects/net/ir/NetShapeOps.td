// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape ops: the same elements in other places. Axes may be counted from the end, as in
// Python; the ops hold them as written and their methods normalise.

#ifndef PLUMB_NET_SHAPE_OPS_TD
#define PLUMB_NET_SHAPE_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_ReshapeOp : Net_Primitive<"reshape", "x, shape: ints", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "gives the elements another shape";
  let description = [{
    One extent may be -1: it is what the others leave.

    Constraints:
    * (reshape_c1) as many elements as before;
    * (reshape_c2) at most one -1.

    Example:
    ```mlir
    %y = net.reshape %x to [2, -1] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$shape);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `to` $shape attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_FlattenOp : Net_Primitive<"flatten", "x", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "keeps the first axis and joins the others";
  let description = [{
    A scalar or vector becomes a matrix of extent one.

    Example:
    ```mlir
    %y = net.flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Net_ExpandDimsOp : Net_Primitive<"expand_dims", "x, axis: int", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "inserts an axis of extent one";
  let description = [{
    `axis` is its position in the result.

    Example:
    ```mlir
    %y = net.expand_dims %x at 0 : (tensor<4xf32>) -> tensor<1x4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, I64Attr:$axis);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `at` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Net_SqueezeOp : Net_Primitive<"squeeze", "x, axis: ints = []", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "drops axes of extent one";
  let description = [{
    All of them when `axis` is empty.

    Constraints:
    * (squeeze_c1) each named axis has extent one.

    Example:
    ```mlir
    %y = net.squeeze %x at [0] : (tensor<1x4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$axis);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `at` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Net_TransposeOp : Net_Primitive<"transpose", "x, perm: ints", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "reorders the axes";
  let description = [{
    Result axis i is operand axis perm[i].

    Constraints:
    * (transpose_c1) perm names every axis once.

    Example:
    ```mlir
    %y = net.transpose %x perm [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$perm);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `perm` $perm attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_BroadcastToOp : Net_Primitive<"broadcast_to", "x, shape: ints", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "repeats extents of one up to a shape";
  let description = [{
    Axes align from the right; -1 keeps an extent.

    Constraints:
    * (broadcast_to_c1) each extent is one or that of the shape.

    Example:
    ```mlir
    %y = net.broadcast_to %x to [2, 4] : (tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$shape);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `to` $shape attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_SliceOp : Net_Primitive<"slice", "x, begin: ints, end: ints, strides: ints = []", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "cuts out a box";
  let description = [{
    Per leading axis the elements begin, begin + stride, … below end; later axes are taken
    whole. Negative ends count from the back and ends are clamped, as in Python.

    Constraints:
    * (slice_c1) begin, end and strides (ones when empty) are equally long;
    * (slice_c2) strides are positive.

    Example:
    ```mlir
    %y = net.slice %x from [0, 1] to [2, 4] by [1, 2] : (tensor<2x5xf32>) -> tensor<2x2xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$begin, DenseI64ArrayAttr:$end, DenseI64ArrayAttr:$strides);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `from` $begin `to` $end `by` $strides attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_SliceGradOp : Net_Kernel<"slice_grad", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "puts a box back into zeros";
  let description = [{
    The adjoint of net.slice: zeros of `shape`, with `dy` where the slice was cut.

    Example:
    ```mlir
    %dx = net.slice_grad %dy into [2, 5] from [0, 1] by [1, 2] : (tensor<2x2xf32>) -> tensor<2x5xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$dy, DenseI64ArrayAttr:$shape, DenseI64ArrayAttr:$begin, DenseI64ArrayAttr:$strides);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $dy `into` $shape `from` $begin `by` $strides attr-dict `:` functional-type(operands, results)
  }];
}

def Net_SliceUpdateOp : Net_Kernel<"slice_update", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable]> {
  let summary = "replaces a box of a tensor";
  let description = [{
    `x` with `update` at the elements begin, begin + stride, … of each axis, as many as `update` has. All other elements
    are those of `x`.

    Constraints:
    * (slice_update_c1) one begin and one positive stride per axis, and the box lies inside of `x`.

    Example:
    ```mlir
    %y = net.slice_update %u into %x from [0, 1] by [1, 2] : (tensor<2x2xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$update, Net_AnyTensor:$x, DenseI64ArrayAttr:$begin, DenseI64ArrayAttr:$strides);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $update `into` $x `from` $begin `by` $strides attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_RowOp : Net_Kernel<"row", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes one row of a tensor";
  let description = [{
    The row of `x` with the number `index` along `axis`, which the result lacks. The number must lie within the axis:
    nothing checks it. Code that the compiler makes for loops reads its tapes with it; a program's own indices go through
    net.gather.

    Constraints:
    * (row_c1) `x` has the axis, counted from 0.

    Example:
    ```mlir
    %y = net.row %x[%i] : (tensor<100x8xf32>, index) -> tensor<8xf32>
    %z = net.row %x[%i] {axis = 1 : i64} : (tensor<100x8xf32>, index) -> tensor<100xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, Index:$index, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$x `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Net_RowUpdateOp : Net_Kernel<"row_update", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "replaces one row of a tensor";
  let description = [{
    `x` with `row` for its row number `index` along `axis`. The number must lie within the axis: nothing checks it.

    Constraints:
    * (row_update_c1) `row` has the shape of such a row of `x`, and the same elements.

    Example:
    ```mlir
    %y = net.row_update %r into %x[%i] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$row, Net_AnyTensor:$x, Index:$index, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$row `into` $x `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Net_ConcatOp : Net_Primitive<"concat", "*xs, axis: int = 0", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable]> {
  let summary = "joins tensors along an axis";
  let description = [{
    Constraints:
    * (concat_c1) the shapes agree but for that axis.

    Example:
    ```mlir
    %y = net.concat %a, %b axis 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Net_AnyTensor>:$xs, I64Attr:$axis);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $xs `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_StackOp : Net_Primitive<"stack", "*xs, axis: int = 0", [SameTypeOperands, InferTypeOpAdaptor, Differentiable]> {
  let summary = "joins tensors along a new axis";
  let description = [{
    Constraints:
    * (stack_c1) all types are equal.

    Example:
    ```mlir
    %y = net.stack %a, %b axis 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Net_AnyTensor>:$xs, I64Attr:$axis);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $xs `axis` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Net_SplitOp : Net_Primitive<"split", "x, axis: int = 0, output_num: int = 1", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "cuts a tensor into equal parts along an axis";
  let description = [{
    Constraints:
    * (split_c1) the axis's extent is a multiple of output_num;
    * (split_c2) output_num is at most 65536.

    Example:
    ```mlir
    %a, %b = net.split %x axis 0 into 2 : (tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, I64Attr:$axis, I64Attr:$output_num);
  let results = (outs Variadic<Net_AnyTensor>:$outputs);
  let assemblyFormat = [{
    $x `axis` $axis `into` $output_num attr-dict `:` functional-type(operands, results)
  }];
}

def Net_PadOp : Net_Primitive<"pad", "x, low: ints, high: ints, value: float = 0.0", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "surrounds a tensor with a value";
  let description = [{
    `low` and `high` count the elements before and after, per axis.

    Constraints:
    * (pad_c1) one non-negative count per axis.

    Example:
    ```mlir
    %y = net.pad %x low [0, 1] high [0, 2] value 0.0 : (tensor<2x3xf32>) -> tensor<2x6xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, F64Attr:$value);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `low` $low `high` $high `value` $value attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Net_TileOp : Net_Primitive<"tile", "x, multiples: ints", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "repeats a tensor along its axes";
  let description = [{
    Missing leading axes of the operand count as one.

    Constraints:
    * (tile_c1) at least one positive multiple per axis.

    Example:
    ```mlir
    %y = net.tile %x by [2, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$x, DenseI64ArrayAttr:$multiples);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $x `by` $multiples attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_SHAPE_OPS_TD
