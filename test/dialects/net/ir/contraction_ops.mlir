// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Matrix products and convolutions: syntax survives printing and parsing.

// CHECK-LABEL: func.func @matmul(
func.func @matmul(%a: tensor<32x400xf32>, %b: tensor<120x400xf32>) -> tensor<32x120xf32> {
  // CHECK: net.matmul %{{.*}}, %{{.*}} {transpose_b = true} : (tensor<32x400xf32>, tensor<120x400xf32>) -> tensor<32x120xf32>
  %y = net.matmul %a, %b {transpose_b = true} : (tensor<32x400xf32>, tensor<120x400xf32>) -> tensor<32x120xf32>
  return %y : tensor<32x120xf32>
}

// CHECK-LABEL: func.func @conv2d(
func.func @conv2d(%x: tensor<32x1x32x32xf32>, %w: tensor<6x1x5x5xf32>) -> tensor<32x6x28x28xf32> {
  // CHECK: net.conv2d %{{.*}}, %{{.*}} stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x1x32x32xf32>, tensor<6x1x5x5xf32>) -> tensor<32x6x28x28xf32>
  %y = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x1x32x32xf32>, tensor<6x1x5x5xf32>) -> tensor<32x6x28x28xf32>
  return %y : tensor<32x6x28x28xf32>
}

// CHECK-LABEL: func.func @conv2d_input_grad(
func.func @conv2d_input_grad(%dy: tensor<32x6x28x28xf32>, %w: tensor<6x1x5x5xf32>) -> tensor<32x1x32x32xf32> {
  // CHECK: net.conv2d_input_grad %{{.*}}, %{{.*}} of [32, 1, 32, 32] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x6x28x28xf32>, tensor<6x1x5x5xf32>) -> tensor<32x1x32x32xf32>
  %dx = net.conv2d_input_grad %dy, %w of [32, 1, 32, 32] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x6x28x28xf32>, tensor<6x1x5x5xf32>) -> tensor<32x1x32x32xf32>
  return %dx : tensor<32x1x32x32xf32>
}

// CHECK-LABEL: func.func @conv2d_weight_grad(
func.func @conv2d_weight_grad(%x: tensor<32x1x32x32xf32>, %dy: tensor<32x6x28x28xf32>) -> tensor<6x1x5x5xf32> {
  // CHECK: net.conv2d_weight_grad %{{.*}}, %{{.*}} of [6, 1, 5, 5] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x1x32x32xf32>, tensor<32x6x28x28xf32>) -> tensor<6x1x5x5xf32>
  %dw = net.conv2d_weight_grad %x, %dy of [6, 1, 5, 5] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<32x1x32x32xf32>, tensor<32x6x28x28xf32>) -> tensor<6x1x5x5xf32>
  return %dw : tensor<6x1x5x5xf32>
}
