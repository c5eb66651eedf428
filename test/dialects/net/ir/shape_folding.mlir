// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identities(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
func.func @identities(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = net.reshape %x to [2, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = net.transpose %0 perm [0, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = net.broadcast_to %1 to [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = net.slice %2 from [0] to [5] by [] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = net.pad %3 low [0, 0] high [0, 0] value 0.0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = net.concat %4 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
func.func @reshapes(%x: tensor<2x3xf32>) -> tensor<6x1xf32> {
  // CHECK-NEXT: %[[Y:.*]] = net.reshape %[[X]] to [6, 1]
  // CHECK-NEXT: return %[[Y]]
  %0 = net.expand_dims %x at 0 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %1 = net.flatten %0 : (tensor<1x2x3xf32>) -> tensor<1x6xf32>
  %2 = net.squeeze %1 at [] : (tensor<1x6xf32>) -> tensor<6xf32>
  %3 = net.reshape %2 to [6, 1] : (tensor<6xf32>) -> tensor<6x1xf32>
  return %3 : tensor<6x1xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  // CHECK-NEXT: %[[Y:.*]] = net.transpose %[[X]] perm [2, 1, 0]
  // CHECK-NEXT: return %[[Y]]
  %0 = net.transpose %x perm [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = net.transpose %0 perm [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @splats(
func.func @splats() -> tensor<3x2xf32> {
  // CHECK-NEXT: net.constant dense<2.000000e+00> : tensor<3x2xf32>
  %0 = net.constant dense<2.0> : tensor<1xf32>
  %1 = net.broadcast_to %0 to [2, 3] : (tensor<1xf32>) -> tensor<2x3xf32>
  %2 = net.transpose %1 perm [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
