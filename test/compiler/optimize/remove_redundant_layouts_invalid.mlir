// RUN: plumb-opt %s --plumb-remove-redundant-layouts | FileCheck %s

// A broadcast that alone gives the shape stays, and so does a product that is also used as it is.

// CHECK-LABEL: func.func @shape(
// CHECK:         net.broadcast_to
func.func @shape(%x: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = net.broadcast_to %b to [2, 4] : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = net.add %x, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @shared(
// CHECK:         net.matmul
// CHECK:         net.transpose
func.func @shared(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<4x2xf32>) {
  %0 = net.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = net.transpose %0 perm [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<4x2xf32>
}
