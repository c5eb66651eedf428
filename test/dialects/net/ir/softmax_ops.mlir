// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Softmax and cross entropies: syntax survives printing and parsing.

// CHECK-LABEL: func.func @softmax(
func.func @softmax(%x: tensor<32x10xf32>) -> tensor<32x10xf32> {
  // CHECK: net.softmax %{{.*}} axis -1 : tensor<32x10xf32>
  %y = net.softmax %x axis -1 : tensor<32x10xf32>
  return %y : tensor<32x10xf32>
}

// CHECK-LABEL: func.func @log_softmax(
func.func @log_softmax(%x: tensor<32x10xf32>) -> tensor<32x10xf32> {
  // CHECK: net.log_softmax %{{.*}} axis -1 : tensor<32x10xf32>
  %y = net.log_softmax %x axis -1 : tensor<32x10xf32>
  return %y : tensor<32x10xf32>
}

// CHECK-LABEL: func.func @softmax_cross_entropy(
func.func @softmax_cross_entropy(%x: tensor<32x10xf32>, %p: tensor<32x10xf32>) -> tensor<32xf32> {
  // CHECK: net.softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<32x10xf32>, tensor<32x10xf32>) -> tensor<32xf32>
  %l = net.softmax_cross_entropy %x, %p : (tensor<32x10xf32>, tensor<32x10xf32>) -> tensor<32xf32>
  return %l : tensor<32xf32>
}

// CHECK-LABEL: func.func @softmax_cross_entropy_grad(
func.func @softmax_cross_entropy_grad(%x: tensor<32x10xf32>, %p: tensor<32x10xf32>, %dy: tensor<32xf32>) -> tensor<32x10xf32> {
  // CHECK: net.softmax_cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<32x10xf32>, tensor<32x10xf32>, tensor<32xf32>) -> tensor<32x10xf32>
  %d = net.softmax_cross_entropy_grad %x, %p, %dy : (tensor<32x10xf32>, tensor<32x10xf32>, tensor<32xf32>) -> tensor<32x10xf32>
  return %d : tensor<32x10xf32>
}

// CHECK-LABEL: func.func @sparse_softmax_cross_entropy(
func.func @sparse_softmax_cross_entropy(%x: tensor<32x10xf32>, %c: tensor<32xi32>) -> tensor<32xf32> {
  // CHECK: net.sparse_softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<32x10xf32>, tensor<32xi32>) -> tensor<32xf32>
  %l = net.sparse_softmax_cross_entropy %x, %c : (tensor<32x10xf32>, tensor<32xi32>) -> tensor<32xf32>
  return %l : tensor<32xf32>
}

// CHECK-LABEL: func.func @sparse_softmax_cross_entropy_grad(
func.func @sparse_softmax_cross_entropy_grad(%x: tensor<32x10xf32>, %c: tensor<32xi32>, %dy: tensor<32xf32>) -> tensor<32x10xf32> {
  // CHECK: net.sparse_softmax_cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<32x10xf32>, tensor<32xi32>, tensor<32xf32>) -> tensor<32x10xf32>
  %d = net.sparse_softmax_cross_entropy_grad %x, %c, %dy : (tensor<32x10xf32>, tensor<32xi32>, tensor<32xf32>) -> tensor<32x10xf32>
  return %d : tensor<32x10xf32>
}
