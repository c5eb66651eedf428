// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax and the cross entropies on it. All subtract the row's largest element first, so that
// no exponential overflows.

#ifndef PLUMB_NET_SOFTMAX_OPS_TD
#define PLUMB_NET_SOFTMAX_OPS_TD

include "dialects/net/ir/NetBase.td"

def Net_SoftmaxOp : Net_Primitive<"softmax", "x, axis: int = -1", [SameOperandsAndResultType, Differentiable, Accumulates]> {
  let summary = "turns scores into probabilities along an axis";
  let description = [{
    y = e^(x - max) / sum of e^(x - max).

    Example:
    ```mlir
    %y = net.softmax %x axis -1 : tensor<32x10xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $x `axis` $axis attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

def Net_LogSoftmaxOp : Net_Primitive<"log_softmax", "x, axis: int = -1", [SameOperandsAndResultType, Differentiable, Accumulates]> {
  let summary = "takes the logarithm of softmax";
  let description = [{
    y = x - max - ln(sum of e^(x - max)).

    Example:
    ```mlir
    %y = net.log_softmax %x axis -1 : tensor<32x10xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$x, I64Attr:$axis);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $x `axis` $axis attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

def Net_SoftmaxCrossEntropyOp : Net_Primitive<"softmax_cross_entropy", "logits, labels", [InferTypeOpAdaptor, Differentiable, Accumulates]> {
  let summary = "measures each row of scores against probabilities";
  let description = [{
    loss[n] = - sum over c of labels[n, c] * log_softmax(logits)[n, c].

    Constraints:
    * (softmax_cross_entropy_c1) logits and labels are matrices of one type.

    Example:
    ```mlir
    %l = net.softmax_cross_entropy %x, %p : (tensor<32x10xf32>, tensor<32x10xf32>) -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$logits, Net_FloatTensor:$labels);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` functional-type(operands, results)
  }];
}

def Net_SoftmaxCrossEntropyGradOp : Net_Kernel<"softmax_cross_entropy_grad", [AllTypesMatch<["logits", "result"]>, Differentiable, Accumulates]> {
  let summary = "takes the adjoint of softmax_cross_entropy to the scores";
  let description = [{
    dlogits = (softmax(logits) * sum(labels) - labels) * dy, row by row.

    Constraints:
    * (softmax_cross_entropy_grad_c1) logits and labels are matrices of one type, dy has an element of theirs for each row.

    Example:
    ```mlir
    %d = net.softmax_cross_entropy_grad %x, %p, %dy : (tensor<32x10xf32>, tensor<32x10xf32>, tensor<32xf32>) -> tensor<32x10xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$logits, Net_FloatTensor:$labels, Net_FloatTensor:$dy);
  let results = (outs Net_FloatTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $logits `,` $labels `,` $dy attr-dict `:` functional-type(operands, results)
  }];
}

def Net_SparseSoftmaxCrossEntropyOp : Net_Primitive<"sparse_softmax_cross_entropy", "logits, labels", [InferTypeOpAdaptor, Differentiable, Indexing, Accumulates]> {
  let summary = "measures each row of scores against a class number";
  let description = [{
    loss[n] = - log_softmax(logits)[n, labels[n]]. A label outside the classes is an error, as an index outside its axis is
    for net.gather; the op itself selects nothing for it: its row's loss is the logarithm of the sum alone.

    Constraints:
    * (sparse_softmax_cross_entropy_c1) logits are a matrix, labels a vector of as many integers as it has rows.

    Example:
    ```mlir
    %l = net.sparse_softmax_cross_entropy %x, %c : (tensor<32x10xf32>, tensor<32xi32>) -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$logits, Net_IndexTensor:$labels);
  let results = (outs Net_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` functional-type(operands, results)
  }];
}

def Net_SparseSoftmaxCrossEntropyGradOp : Net_Kernel<"sparse_softmax_cross_entropy_grad", [AllTypesMatch<["logits", "result"]>, Differentiable, Indexing, Accumulates]> {
  let summary = "takes the adjoint of sparse_softmax_cross_entropy to the scores";
  let description = [{
    dlogits = (softmax(logits) - onehot(labels)) * dy, row by row.

    Constraints:
    * (sparse_softmax_cross_entropy_grad_c1) logits are a matrix, labels have an integer for each of its rows, dy an element.

    Example:
    ```mlir
    %d = net.sparse_softmax_cross_entropy_grad %x, %c, %dy : (tensor<32x10xf32>, tensor<32xi32>, tensor<32xf32>) -> tensor<32x10xf32>
    ```
  }];
  let arguments = (ins Net_FloatTensor:$logits, Net_IndexTensor:$labels, Net_FloatTensor:$dy);
  let results = (outs Net_FloatTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $logits `,` $labels `,` $dy attr-dict `:` functional-type(operands, results)
  }];
}

#endif // PLUMB_NET_SOFTMAX_OPS_TD
