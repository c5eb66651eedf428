// RUN: plumb-opt %s --plumb-remove-redundant-math | FileCheck %s

// What would round otherwise stays: a division by three, two factors neither of which is a power of two, a sum over
// other axes than those that repeat.

// CHECK-LABEL: func.func @third(
// CHECK:         net.div
func.func @third(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = net.constant dense<3.0> : tensor<f32>
  %0 = net.div %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @scales(
// CHECK-COUNT-2: net.mul
func.func @scales(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = net.constant dense<0.7> : tensor<f32>
  %b = net.constant dense<0.3> : tensor<f32>
  %0 = net.mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = net.mul %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @other_axis(
// CHECK:         net.reduce_sum
func.func @other_axis(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = net.broadcast_to %x to [8, 4] : (tensor<4xf32>) -> tensor<8x4xf32>
  %1 = net.reduce_sum %0 over [1] : (tensor<8x4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
