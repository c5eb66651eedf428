// RUN: plumb-opt %s --plumb-verify-inlined | FileCheck %s

// CHECK: call @kept
func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  return %x : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @kept(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
