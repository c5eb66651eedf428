// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Constants and tensors of one number: syntax survives printing and parsing.

// CHECK-LABEL: func.func @constant(
func.func @constant() -> tensor<4xf32> {
  // CHECK: net.constant dense<1.000000e+00> : tensor<4xf32>
  %0 = net.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @fill(
func.func @fill() -> tensor<2x3xf32> {
  // CHECK: net.fill f32 [2, 3] value 1.000000e+00 : tensor<2x3xf32>
  %0 = net.fill f32 [2, 3] value 1.0 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @eye(
func.func @eye() -> tensor<3x4xf32> {
  // CHECK: net.eye 3 by 4 of f32 : tensor<3x4xf32>
  %0 = net.eye 3 by 4 of f32 : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @zeros_like(
func.func @zeros_like(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.zeros_like %{{.*}} : tensor<4xf32>
  %0 = net.zeros_like %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @ones_like(
func.func @ones_like(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.ones_like %{{.*}} : tensor<4xf32>
  %0 = net.ones_like %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @random_uniform(
func.func @random_uniform(%key: tensor<i32>, %counter: tensor<i32>) -> tensor<2x3xf32> {
  // CHECK: net.random_uniform %{{.*}}, %{{.*}} shape [2, 3] : (tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %0 = net.random_uniform %key, %counter shape [2, 3] : (tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @iota(
func.func @iota() {
  // CHECK: net.iota [2, 3] axis 1 of i32 : tensor<2x3xi32>
  %0 = net.iota [2, 3] axis 1 of i32 : tensor<2x3xi32>
  return
}
