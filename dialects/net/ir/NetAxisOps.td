// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that go along one axis, element after element: scans and sorting.

#ifndef PLUMB_NET_AXIS_OPS_TD
#define PLUMB_NET_AXIS_OPS_TD

include "dialects/net/ir/NetBase.td"

// Sums or products of ever more elements. `exclusive` leaves each element itself out, `reverse` starts at the axis' end.
class Net_CumulativeOp<string mnemonic>
    : Net_Primitive<mnemonic, "x, axis: int, exclusive: bool = False, reverse: bool = False", [
        InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let arguments = (ins Net_AnyTensor:$x, I64Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$exclusive,
                       DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` functional-type(operands, results)";
}

def Net_CumsumOp : Net_CumulativeOp<"cumsum"> {
  let summary = "adds up along an axis";
  let description = [{
    y[k] = x[0] + … + x[k] along the axis; without x[k] if `exclusive`, so that y[0] = 0; x[k] + … to the axis' end if
    `reverse`.

    Constraints:
    * (cumsum_c1) the axis exists.

    Example:
    ```mlir
    %y = net.cumsum %x axis 1 {reverse = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
}

def Net_CumprodOp : Net_CumulativeOp<"cumprod"> {
  let summary = "multiplies up along an axis";
  let description = [{
    y[k] = x[0] · … · x[k] along the axis; without x[k] if `exclusive`, so that y[0] = 1; x[k] · … to the axis' end if
    `reverse`. The adjoint divides by nothing, so zeros have theirs: it is net.linear_recurrence.

    Constraints:
    * (cumprod_c1) the axis exists.

    Example:
    ```mlir
    %y = net.cumprod %x axis 1 {exclusive = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
}

def Net_LinearRecurrenceOp : Net_Primitive<"linear_recurrence", "a, b, axis: int, reverse: bool = False", [
    InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "multiplies and adds along an axis";
  let description = [{
    y[k] = a[k] · y[k-1] + b[k] along the axis, from y[-1] = 0; from the axis' end on if `reverse`.

    Constraints:
    * (linear_recurrence_c1) the axis exists;
    * (linear_recurrence_c2) a and b have one type.

    Example:
    ```mlir
    %y = net.linear_recurrence %a, %b axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Net_Tensor:$a, Net_Tensor:$b, I64Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$reverse);
  let results = (outs Net_Tensor:$result);
  let assemblyFormat = "$a `,` $b `axis` $axis attr-dict `:` functional-type(operands, results)";
}

// The largest or smallest of the elements so far, and where it is.
class Net_RunningOp<string mnemonic>
    : Net_Primitive<mnemonic, "x, axis: int", [InferTypeOpAdaptor, Differentiable]> {
  let arguments = (ins Net_Tensor:$x, I64Attr:$axis);
  let results = (outs Net_Tensor:$values, Net_IndexTensor:$indices);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` functional-type(operands, results)";
}

def Net_CummaxOp : Net_RunningOp<"cummax"> {
  let summary = "takes the largest so far along an axis";
  let description = [{
    values[k] = max(x[0], …, x[k]) along the axis, and the position of the last such element, as i32. From the first NaN on
    all are NaN, at its position.

    Constraints:
    * (cummax_c1) the axis exists.

    Example:
    ```mlir
    %v, %i = net.cummax %x axis 1 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    ```
  }];
}

def Net_CumminOp : Net_RunningOp<"cummin"> {
  let summary = "takes the smallest so far along an axis";
  let description = [{
    values[k] = min(x[0], …, x[k]) along the axis, and the position of the last such element, as i32. From the first NaN on
    all are NaN, at its position.

    Constraints:
    * (cummin_c1) the axis exists.

    Example:
    ```mlir
    %v, %i = net.cummin %x axis 1 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    ```
  }];
}

def Net_SortOp : Net_Primitive<"sort", "x, axis: int = -1, descending: bool = False", [
    InferTypeOpAdaptor, Differentiable]> {
  let summary = "sorts along an axis";
  let description = [{
    The elements in ascending order, or descending, and the position that each had, as i32. Equal elements keep their order.
    NaN counts as the largest number, as in NumPy: it comes last, or first.

    Constraints:
    * (sort_c1) the axis exists.

    Example:
    ```mlir
    %v, %i = net.sort %x axis 1 {descending = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    ```
  }];
  let arguments = (ins Net_Tensor:$x, I64Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$descending);
  let results = (outs Net_Tensor:$values, Net_IndexTensor:$indices);
  let assemblyFormat = "$x `axis` $axis attr-dict `:` functional-type(operands, results)";
}

#endif // PLUMB_NET_AXIS_OPS_TD
