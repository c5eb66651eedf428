// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling of NCHW images, with its adjoints.

#ifndef PLUMB_NET_POOL_OPS_TD
#define PLUMB_NET_POOL_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_MaxPool2DOp : Net_Primitive<"max_pool2d", "x, kernel: ints = 1, stride: ints = 1, pad: ints = 0", [InferTypeOpAdaptor, Differentiable]> {
  let summary = "takes the largest of each window";
  let description = [{
    Pads count as minus infinity.

    Constraints:
    * (max_pool2d_c1) the image has four axes (NCHW);
    * (max_pool2d_c2) kernels and strides are positive; pads are smaller than the kernel;
    * (max_pool2d_c3) the kernel fits into the padded image.

    Example:
    ```mlir
    %y = net.max_pool2d %x kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $x `kernel` $kernel `stride` $stride `pad` $pad attr-dict
    `:` functional-type(operands, results)
  }];
}

def Net_MaxPool2DGradOp : Net_Kernel<"max_pool2d_grad", [AllTypesMatch<["x", "result"]>, Differentiable, Accumulates]> {
  let summary = "takes the adjoint of max_pool2d";
  let description = [{
    Each window's adjoint goes to its first largest element, rows before columns. Its own adjoint with respect to dy is
    `max_pool2d_pick`; x and y only say which element that is, so none goes to them.

    Constraints:
    * (max_pool2d_grad_c1) y and dy have the type that pooling x yields.

    Example:
    ```mlir
    %dx = net.max_pool2d_grad %x, %y, %dy kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, Net_FloatTensor:$y, Net_FloatTensor:$dy, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad);
  let results = (outs Net_FloatTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $x `,` $y `,` $dy `kernel` $kernel `stride` $stride `pad` $pad attr-dict
    `:` functional-type(operands, results)
  }];
}

def Net_MaxPool2DPickOp : Net_Kernel<"max_pool2d_pick", [AllTypesMatch<["x", "from"]>, AllTypesMatch<["y", "result"]>, Differentiable]> {
  let summary = "takes from each window the element at the place of another image's largest";
  let description = [{
    The place is that of the first element of x's window that equals y, the largest; rows before columns. A window of NaN
    yields zero, as `max_pool2d_grad` gives nothing to it.

    Constraints:
    * (max_pool2d_pick_c1) y has the type that pooling x yields.

    Example:
    ```mlir
    %ddy = net.max_pool2d_pick %x, %y, %ddx kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, Net_FloatTensor:$y, Net_FloatTensor:$from, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad);
  let results = (outs Net_FloatTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $x `,` $y `,` $from `kernel` $kernel `stride` $stride `pad` $pad attr-dict
    `:` functional-type(operands, results)
  }];
}

def Net_AvgPool2DOp : Net_Primitive<"avg_pool2d", "x, kernel: ints = 1, stride: ints = 1, pad: ints = 0, count_include_pad: bool = True", [InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "averages each window";
  let description = [{
    Pads count as zeros; with `count_include_pad = false` they are left out of the count.

    Constraints:
    * (avg_pool2d_c1) the image has four axes (NCHW);
    * (avg_pool2d_c2) kernels and strides are positive; pads are smaller than the kernel;
    * (avg_pool2d_c3) the kernel fits into the padded image.

    Example:
    ```mlir
    %y = net.avg_pool2d %x kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad, DefaultValuedAttr<BoolAttr, "true">:$count_include_pad);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $x `kernel` $kernel `stride` $stride `pad` $pad attr-dict
    `:` functional-type(operands, results)
  }];
}

def Net_AvgPool2DGradOp : Net_Kernel<"avg_pool2d_grad", [InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "takes the adjoint of avg_pool2d";
  let description = [{
    Each window's adjoint is shared by its elements. `input_shape` is the image's shape.

    Example:
    ```mlir
    %dx = net.avg_pool2d_grad %dy of [1, 1, 4, 4] kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$dy, DenseI64ArrayAttr:$input_shape, DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad, DefaultValuedAttr<BoolAttr, "true">:$count_include_pad);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $dy `of` $input_shape `kernel` $kernel `stride` $stride `pad` $pad attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_POOL_OPS_TD
