// RUN: plumb-opt %s --plumb-annotate-inlining | FileCheck %s

net.entry @train calls @step (tensor<f32>) {mode = "train"}

// CHECK: func.func @step(
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// CHECK: func.func private @helper(
func.func @helper(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// CHECK: func.func private @clip({{.*}} attributes {custom_bprop = @clip_bprop, no_inline}
func.func @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop} {
  return %x : tensor<f32>
}

// CHECK: func.func private @clip_bprop(
func.func @clip_bprop(%x: tensor<f32>, %y: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}
