// RUN: plumb-opt %s --plumb-hoist-masks | FileCheck %s

// The mask of relu's gradient moves before that of the pooling, onto the smaller tensor.

// CHECK-LABEL: func.func @pooled(
// CHECK-SAME:    %[[X:.*]]: tensor<1x1x4x4xf32>, %[[Y:.*]]: tensor<1x1x2x2xf32>, %[[DY:.*]]: tensor<1x1x2x2xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = net.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG:     %[[M:.*]] = net.greater %[[Y]], %[[ZERO]]
// CHECK:         %[[D:.*]] = net.select %[[M]], %[[DY]], %[[ZERO]]
// CHECK:         %[[DX:.*]] = net.max_pool2d_grad %[[X]], %[[Y]], %[[D]]
// CHECK-NEXT:    return %[[DX]]
func.func @pooled(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x2x2xf32>, %dy: tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32> {
  %zero = net.constant dense<0.0> : tensor<f32>
  %0 = net.max_pool2d_grad %x, %y, %dy kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %1 = net.greater %x, %zero : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xi1>
  %2 = net.select %1, %0, %zero : (tensor<1x1x4x4xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}
