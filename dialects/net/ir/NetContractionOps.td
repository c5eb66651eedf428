// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions: matrix products and convolutions with their adjoints. These carry nearly all
// of the arithmetic; each lowers to multiply-and-add generics with affine maps.

#ifndef PLUMB_NET_CONTRACTION_OPS_TD
#define PLUMB_NET_CONTRACTION_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_MatmulOp : Net_Primitive<"matmul", "a, b, transpose_a: bool = False, transpose_b: bool = False", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "multiplies matrices";
  let description = [{
    The last two axes are rows and columns; axes before them are batches and broadcast.

    Constraints:
    * (matmul_c1) both operands have at least two axes and one element type;
    * (matmul_c2) the columns of a, after transposition, are as many as the rows of b.

    Example:
    ```mlir
    %y = net.matmul %a, %b {transpose_b = true} : (tensor<32x400xf32>, tensor<120x400xf32>) -> tensor<32x120xf32>
    ```
  }];
  let arguments = (ins Net_AnyTensor:$a, Net_AnyTensor:$b, DefaultValuedAttr<BoolAttr, "false">:$transpose_a, DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs Net_AnyTensor:$result);
  let assemblyFormat = [{
    $a `,` $b attr-dict `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

def Net_Conv2DOp : Net_Primitive<"conv2d", "x, weight, stride: ints = 1, pad: ints = 0, dilation: ints = 1, group: int = 1", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "convolves images with kernels";
  let description = [{
    Images are NCHW, kernels OIHW; no kernel is flipped, as in other frameworks. `pad` is
    [top, bottom, left, right]; one number stands for all.

    Constraints:
    * (conv2d_c1) input channels = kernel channels * group;
    * (conv2d_c2) output channels are a multiple of group;
    * (conv2d_c3) strides and dilations are positive, pads are not negative;
    * (conv2d_c4) the kernel fits into the padded image.

    Example:
    ```mlir
    %y = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x1x32x32xf32>, tensor<6x1x5x5xf32>) -> tensor<32x6x28x28xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, Net_FloatTensor:$weight, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad, DenseI64ArrayAttr:$dilation, I64Attr:$group);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $weight `stride` $stride `pad` $pad `dilation` $dilation `group` $group attr-dict
    `:` functional-type(operands, results)
  }];
}

def Net_Conv2DInputGradOp : Net_Primitive<"conv2d_input_grad", "dy, weight, input_shape: ints, stride: ints = 1, pad: ints = 0, dilation: ints = 1, group: int = 1", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "takes the adjoint of a convolution to its image";
  let description = [{
    `input_shape` is the image's NCHW shape; the other attributes are the convolution's. It is also
    the transposed convolution.

    Example:
    ```mlir
    %dx = net.conv2d_input_grad %dy, %w of [32, 1, 32, 32] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x6x28x28xf32>, tensor<6x1x5x5xf32>) -> tensor<32x1x32x32xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$dy, Net_FloatTensor:$weight, DenseI64ArrayAttr:$input_shape, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad, DenseI64ArrayAttr:$dilation, I64Attr:$group);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $dy `,` $weight `of` $input_shape `stride` $stride `pad` $pad `dilation` $dilation `group` $group attr-dict
    `:` functional-type(operands, results)
  }];
}

def Net_Conv2DWeightGradOp : Net_Primitive<"conv2d_weight_grad", "x, dy, weight_shape: ints, stride: ints = 1, pad: ints = 0, dilation: ints = 1, group: int = 1", [SameOperandsElementType, InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "takes the adjoint of a convolution to its kernel";
  let description = [{
    `weight_shape` is the kernel's OIHW shape; the other attributes are the convolution's.

    Example:
    ```mlir
    %dw = net.conv2d_weight_grad %x, %dy of [6, 1, 5, 5] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x1x32x32xf32>, tensor<32x6x28x28xf32>) -> tensor<6x1x5x5xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, Net_FloatTensor:$dy, DenseI64ArrayAttr:$weight_shape, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$pad, DenseI64ArrayAttr:$dilation, I64Attr:$group);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $dy `of` $weight_shape `stride` $stride `pad` $pad `dilation` $dilation `group` $group attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_CONTRACTION_OPS_TD
