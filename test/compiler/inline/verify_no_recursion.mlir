// RUN: plumb-opt %s --plumb-verify-no-recursion | FileCheck %s

// A function that is called by two ways is no cycle.

// CHECK-LABEL: func.func @top(
func.func @top(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @left(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @leaf(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @left(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @leaf(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @leaf(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
