// RUN: plumb-opt %s --plumb-elide-custom-gradients | FileCheck %s

// CHECK: func.func private @clip(%{{.*}}: tensor<f32>) -> tensor<f32> {
func.func private @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop, no_inline} {
  return %x : tensor<f32>
}
// CHECK: func.func private @clip_bprop(
func.func private @clip_bprop(%x: tensor<f32>, %y: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}

// CHECK-LABEL: func.func @straight_through(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %{{.*}}: tensor<f32>)
// CHECK-NEXT:    return %[[X]]
func.func @straight_through(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %z = net.straight_through %x, %y : tensor<f32>
  return %z : tensor<f32>
}
