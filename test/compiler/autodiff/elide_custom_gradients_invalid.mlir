// RUN: plumb-opt %s --plumb-elide-custom-gradients | FileCheck %s

// What is kept whole without a rule of its own stays so.

// CHECK: func.func private @kept({{.*}} attributes {no_inline}
func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  return %x : tensor<f32>
}
