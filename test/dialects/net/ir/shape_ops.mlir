// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Shape ops: syntax survives printing and parsing.

// CHECK-LABEL: func.func @reshape(
func.func @reshape(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  // CHECK: net.reshape %{{.*}} to [2, -1] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %y = net.reshape %x to [2, -1] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return %y : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @flatten(
func.func @flatten(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  // CHECK: net.flatten %{{.*}} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %y = net.flatten %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return %y : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @expand_dims(
func.func @expand_dims(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  // CHECK: net.expand_dims %{{.*}} at 0 : (tensor<4xf32>) -> tensor<1x4xf32>
  %y = net.expand_dims %x at 0 : (tensor<4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}

// CHECK-LABEL: func.func @squeeze(
func.func @squeeze(%x: tensor<1x4xf32>) -> tensor<4xf32> {
  // CHECK: net.squeeze %{{.*}} at [0] : (tensor<1x4xf32>) -> tensor<4xf32>
  %y = net.squeeze %x at [0] : (tensor<1x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @transpose(
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK: net.transpose %{{.*}} perm [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %y = net.transpose %x perm [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @broadcast_to(
func.func @broadcast_to(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.broadcast_to %{{.*}} to [2, 4] : (tensor<4xf32>) -> tensor<2x4xf32>
  %y = net.broadcast_to %x to [2, 4] : (tensor<4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%x: tensor<2x5xf32>) -> tensor<2x2xf32> {
  // CHECK: net.slice %{{.*}} from [0, 1] to [2, 4] by [1, 2] : (tensor<2x5xf32>) -> tensor<2x2xf32>
  %y = net.slice %x from [0, 1] to [2, 4] by [1, 2] : (tensor<2x5xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @slice_update(
func.func @slice_update(%u: tensor<2x2xf32>, %x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  // CHECK: net.slice_update %{{.*}} into %{{.*}} from [0, 1] by [1, 2] : (tensor<2x2xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %y = net.slice_update %u into %x from [0, 1] by [1, 2] : (tensor<2x2xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @rows(
func.func @rows(%x: tensor<100x8xf32>, %i: index) -> tensor<100x8xf32> {
  // CHECK: net.row %{{.*}}[%{{.*}}] : (tensor<100x8xf32>, index) -> tensor<8xf32>
  %r = net.row %x[%i] : (tensor<100x8xf32>, index) -> tensor<8xf32>
  // CHECK: net.row_update %{{.*}} into %{{.*}}[%{{.*}}] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
  %y = net.row_update %r into %x[%i] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
  // CHECK: net.row %{{.*}}[%{{.*}}] {axis = 1 : i64} : (tensor<100x8xf32>, index) -> tensor<100xf32>
  %c = net.row %y[%i] {axis = 1 : i64} : (tensor<100x8xf32>, index) -> tensor<100xf32>
  // CHECK: net.row_update %{{.*}} into %{{.*}}[%{{.*}}] {axis = 1 : i64} : (tensor<100xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
  %z = net.row_update %c into %y[%i] {axis = 1 : i64} : (tensor<100xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
  return %z : tensor<100x8xf32>
}

// CHECK-LABEL: func.func @slice_grad(
func.func @slice_grad(%dy: tensor<2x2xf32>) -> tensor<2x5xf32> {
  // CHECK: net.slice_grad %{{.*}} into [2, 5] from [0, 1] by [1, 2] : (tensor<2x2xf32>) -> tensor<2x5xf32>
  %dx = net.slice_grad %dy into [2, 5] from [0, 1] by [1, 2] : (tensor<2x2xf32>) -> tensor<2x5xf32>
  return %dx : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @concat(
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<1x3xf32>) -> tensor<3x3xf32> {
  // CHECK: net.concat %{{.*}}, %{{.*}} axis 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  %y = net.concat %a, %b axis 0 : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @stack(
func.func @stack(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: net.stack %{{.*}}, %{{.*}} axis 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %y = net.stack %a, %b axis 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @split(
func.func @split(%x: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: net.split %{{.*}} axis 0 into 2 : (tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %a, %b = net.split %x axis 0 into 2 : (tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %a, %b : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  // CHECK: net.pad %{{.*}} low [0, 1] high [0, 2] value 0.000000e+00 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %y = net.pad %x low [0, 1] high [0, 2] value 0.0 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @tile(
func.func @tile(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
  // CHECK: net.tile %{{.*}} by [2, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  %y = net.tile %x by [2, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
