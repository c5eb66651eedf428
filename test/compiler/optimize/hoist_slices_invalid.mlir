// RUN: plumb-opt %s --plumb-hoist-slices | FileCheck %s

// Parts that meet are added.
// CHECK-LABEL: func.func @overlapping(
// CHECK: net.add
func.func @overlapping(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %e = net.slice_grad %a into [3, 4] from [0, 0] by [1, 1] : (tensor<2x4xf32>) -> tensor<3x4xf32>
  %f = net.slice_grad %b into [3, 4] from [1, 0] by [1, 1] : (tensor<2x4xf32>) -> tensor<3x4xf32>
  %g = net.add %e, %f : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %g : tensor<3x4xf32>
}
