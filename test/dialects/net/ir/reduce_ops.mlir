// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Reductions: syntax survives printing and parsing.

// CHECK-LABEL: func.func @reduce_sum(
func.func @reduce_sum(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: net.reduce_sum %{{.*}} over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = net.reduce_sum %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @reduce_mean(
func.func @reduce_mean(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: net.reduce_mean %{{.*}} over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = net.reduce_mean %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @reduce_max(
func.func @reduce_max(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: net.reduce_max %{{.*}} over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = net.reduce_max %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @reduce_min(
func.func @reduce_min(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: net.reduce_min %{{.*}} over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = net.reduce_min %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @reduce_prod(
func.func @reduce_prod(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // CHECK: net.reduce_prod %{{.*}} over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  %y = net.reduce_prod %x over [1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @argmax(
func.func @argmax(%x: tensor<2x3xf32>) -> tensor<2xi32> {
  // CHECK: net.argmax %{{.*}} axis -1 : (tensor<2x3xf32>) -> tensor<2xi32>
  %y = net.argmax %x axis -1 : (tensor<2x3xf32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// CHECK-LABEL: func.func @argmin(
func.func @argmin(%x: tensor<2x3xf32>) {
  // CHECK: net.argmin %{{.*}} axis -1 : (tensor<2x3xf32>) -> tensor<2xi32>
  %y = net.argmin %x axis -1 : (tensor<2x3xf32>) -> tensor<2xi32>
  return
}
