// RUN: plumb-opt %s --plumb-remove-redundant-layouts | FileCheck %s

// Elementwise ops broadcast by themselves.

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[Y:.*]] = net.add %[[X]], %[[B]]
// CHECK-NEXT:    return %[[Y]]
func.func @broadcast(%x: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = net.broadcast_to %b to [2, 4] : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = net.add %x, %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// matmul reads its operands transposed at no cost, and yields its result transposed likewise.

// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<4x3xf32>)
// CHECK-NEXT:    %[[Y:.*]] = net.matmul %[[B]], %[[A]] {transpose_b = true} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @product(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %0 = net.matmul %a, %b {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = net.transpose %0 perm [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// A constant of one number needs no shape where the other operand has it.

// CHECK-LABEL: func.func @splat(
// CHECK:         %[[C:.*]] = net.constant dense<3.000000e+00> : tensor<f32>
// CHECK:         net.mul %{{.*}}, %[[C]] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
func.func @splat(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c = net.constant dense<3.0> : tensor<2x4xf32>
  %0 = net.mul %x, %c : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
