// RUN: plumb-opt %s --plumb-elide-inline-barriers | FileCheck %s

// CHECK: func.func private @kept(%{{.*}}: tensor<f32>) -> tensor<f32> {
func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  return %x : tensor<f32>
}
// CHECK: func.func @step(
// CHECK: call @kept(%{{.*}}) : (tensor<f32>)
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @kept(%x) {no_inline} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
