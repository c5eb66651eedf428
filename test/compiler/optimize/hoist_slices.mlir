// RUN: plumb-opt %s --plumb-hoist-slices | FileCheck %s

// A slice of a transpose moves its part alone; ones vanish before it.
// CHECK-LABEL: func.func @part(
// CHECK: %[[S:.*]] = net.slice %{{.*}} from [0, 1, 0] to [8, 2, 4] by [1, 1, 1] : (tensor<8x3x4xf32>) -> tensor<8x1x4xf32>
// CHECK: %[[R:.*]] = net.reshape %[[S]] to [8, 4]
// CHECK: return %[[R]]
func.func @part(%x: tensor<8x3x4xf32>) -> tensor<8x4xf32> {
  %t = net.transpose %x perm [1, 0, 2] : (tensor<8x3x4xf32>) -> tensor<3x8x4xf32>
  %s = net.slice %t from [1, 0, 0] to [2, 8, 4] by [1, 1, 1] : (tensor<3x8x4xf32>) -> tensor<1x8x4xf32>
  %r = net.reshape %s to [8, 4] : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// Parts that fill a tensor are joined, each turned by itself.
// CHECK-LABEL: func.func @whole(
// CHECK-DAG: %[[A:.*]] = net.reshape %{{.*}} : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
// CHECK-DAG: %[[B:.*]] = net.reshape %{{.*}} : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
// CHECK: net.concat %{{.*}}, %{{.*}} axis 1 : (tensor<4x1x8xf32>, tensor<4x1x8xf32>) -> tensor<4x2x8xf32>
func.func @whole(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) -> tensor<4x2x8xf32> {
  %c = net.reshape %a to [1, 8, 4] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %d = net.reshape %b to [1, 8, 4] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %e = net.slice_grad %c into [2, 8, 4] from [1, 0, 0] by [1, 1, 1] : (tensor<1x8x4xf32>) -> tensor<2x8x4xf32>
  %f = net.slice_grad %d into [2, 8, 4] from [0, 0, 0] by [1, 1, 1] : (tensor<1x8x4xf32>) -> tensor<2x8x4xf32>
  %g = net.add %e, %f : (tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %h = net.transpose %g perm [2, 0, 1] : (tensor<2x8x4xf32>) -> tensor<4x2x8xf32>
  return %h : tensor<4x2x8xf32>
}
