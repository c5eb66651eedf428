// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Ops that go along one axis: syntax survives printing and parsing.

// CHECK-LABEL: func.func @cumsum(
func.func @cumsum(%x: tensor<2x3xf32>) {
  // CHECK: net.cumsum %{{.*}} axis 1 {reverse = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = net.cumsum %x axis 1 {reverse = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @cumprod(
func.func @cumprod(%x: tensor<2x3xf32>) {
  // CHECK: net.cumprod %{{.*}} axis 1 {exclusive = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = net.cumprod %x axis 1 {exclusive = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @linear_recurrence(
func.func @linear_recurrence(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // CHECK: net.linear_recurrence %{{.*}}, %{{.*}} axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = net.linear_recurrence %a, %b axis 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @cummax(
func.func @cummax(%x: tensor<2x3xf32>) {
  // CHECK: net.cummax %{{.*}} axis 1 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %v, %i = net.cummax %x axis 1 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// CHECK-LABEL: func.func @cummin(
func.func @cummin(%x: tensor<2x3xf32>) {
  // CHECK: net.cummin %{{.*}} axis 1 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %v, %i = net.cummin %x axis 1 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// CHECK-LABEL: func.func @sort(
func.func @sort(%x: tensor<2x3xf32>) {
  // CHECK: net.sort %{{.*}} axis 1 {descending = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %v, %i = net.sort %x axis 1 {descending = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}
