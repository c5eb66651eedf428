// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Pooling and its adjoints: syntax survives printing and parsing.

// CHECK-LABEL: func.func @max_pool2d(
func.func @max_pool2d(%x: tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32> {
  // CHECK: net.max_pool2d %{{.*}} kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32>
  %y = net.max_pool2d %x kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32>
  return %y : tensor<32x6x14x14xf32>
}

// CHECK-LABEL: func.func @max_pool2d_grad(
func.func @max_pool2d_grad(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x2x2xf32>, %dy: tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: net.max_pool2d_grad %{{.*}}, %{{.*}}, %{{.*}} kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %dx = net.max_pool2d_grad %x, %y, %dy kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  return %dx : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @max_pool2d_pick(
func.func @max_pool2d_pick(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x2x2xf32>, %ddx: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  // CHECK: net.max_pool2d_pick %{{.*}}, %{{.*}}, %{{.*}} kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %ddy = net.max_pool2d_pick %x, %y, %ddx kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %ddy : tensor<1x1x2x2xf32>
}

// CHECK-LABEL: func.func @avg_pool2d(
func.func @avg_pool2d(%x: tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32> {
  // CHECK: net.avg_pool2d %{{.*}} kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32>
  %y = net.avg_pool2d %x kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<32x6x28x28xf32>) -> tensor<32x6x14x14xf32>
  return %y : tensor<32x6x14x14xf32>
}

// CHECK-LABEL: func.func @avg_pool2d_grad(
func.func @avg_pool2d_grad(%dy: tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: net.avg_pool2d_grad %{{.*}} of [1, 1, 4, 4] kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %dx = net.avg_pool2d_grad %dy of [1, 1, 4, 4] kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  return %dx : tensor<1x1x4x4xf32>
}
