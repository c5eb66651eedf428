// RUN: plumb-opt %s --plumb-elide-custom-gradients | FileCheck %s

// CHECK: func.func private @clip(%{{.*}}: tensor<f32>) -> tensor<f32> {
func.func private @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop, no_inline} {
  return %x : tensor<f32>
}
// CHECK: func.func private @clip_bprop(
func.func private @clip_bprop(%x: tensor<f32>, %y: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}
