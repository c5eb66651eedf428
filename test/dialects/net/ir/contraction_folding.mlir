// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @absorb_transposes(
// CHECK-SAME: %[[A:.*]]: tensor<5x3xf32>, %[[B:.*]]: tensor<5x4xf32>
func.func @absorb_transposes(%a: tensor<5x3xf32>, %b: tensor<5x4xf32>) -> tensor<3x4xf32> {
  // CHECK-NEXT: %[[Y:.*]] = net.matmul %[[A]], %[[B]] {transpose_a = true}
  // CHECK-NEXT: return %[[Y]]
  %0 = net.transpose %a perm [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
  %1 = net.transpose %b perm [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %2 = net.matmul %0, %1 {transpose_b = true} : (tensor<3x5xf32>, tensor<4x5xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// A transpose of batches is none of the product's.
// CHECK-LABEL: func.func @keep_batches(
func.func @keep_batches(%a: tensor<3x2x5xf32>, %b: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: net.transpose
  %0 = net.transpose %a perm [1, 0, 2] : (tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  %1 = net.matmul %0, %b : (tensor<2x3x5xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}
