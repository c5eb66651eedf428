// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @nothing_to_reduce(
// CHECK-SAME: %[[X:.*]]: tensor<2x1xf32>
func.func @nothing_to_reduce(%x: tensor<2x1xf32>) -> tensor<2x1xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = net.reduce_sum %x over [1] {keep_dims = true} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = net.reduce_mean %0 over [-1] {keep_dims = true} : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}
