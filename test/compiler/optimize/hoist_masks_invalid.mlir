// RUN: plumb-opt %s --plumb-hoist-masks | FileCheck %s

// A mask by another tensor than the pooled one says nothing about the maxima.

// CHECK-LABEL: func.func @other(
// CHECK:         net.max_pool2d_grad
// CHECK:         net.select
func.func @other(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x2x2xf32>, %dy: tensor<1x1x2x2xf32>, %z: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %zero = net.constant dense<0.0> : tensor<f32>
  %0 = net.max_pool2d_grad %x, %y, %dy kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %1 = net.greater %z, %zero : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xi1>
  %2 = net.select %1, %0, %zero : (tensor<1x1x4x4xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}
