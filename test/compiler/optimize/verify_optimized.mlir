// RUN: plumb-opt %s --plumb-verify-optimized | FileCheck %s

net.entry @train calls @step (tensor<f32>) {mode = "train"}

// CHECK-LABEL: func.func @step(
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.exp %x : tensor<f32>
  return %0 : tensor<f32>
}
