// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// matmul_c1
func.func @f(%a: tensor<3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot multiply 'tensor<3xf32>' by 'tensor<3x4xf32>': both need two axes or more}}
  %0 = net.matmul %a, %b : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

// matmul_c2
func.func @f(%a: tensor<32x400xf32>, %b: tensor<120x84xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot multiply 'tensor<32x400xf32>' by 'tensor<120x84xf32>' (transposed): 400 columns meet 84 rows}}
  %0 = net.matmul %a, %b {transpose_b = true} : (tensor<32x400xf32>, tensor<120x84xf32>) -> tensor<32x120xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<5x4x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot multiply 'tensor<2x3x4xf32>' by 'tensor<5x4x3xf32>': their batch axes do not broadcast}}
  %0 = net.matmul %a, %b : (tensor<2x3x4xf32>, tensor<5x4x3xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

// conv2d_c1
func.func @f(%x: tensor<1x3x8x8xf32>, %w: tensor<4x1x3x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{conv2d: image 'tensor<1x3x8x8xf32>' has 3 channels, but kernel 'tensor<4x1x3x3xf32>' takes 1}}
  %0 = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x3x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

// conv2d_c1
func.func @f(%x: tensor<1x3x8x8xf32>, %w: tensor<4x2x3x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{has 3 channels, but kernel 'tensor<4x2x3x3xf32>' in 2 groups takes 4}}
  %0 = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 2 : (tensor<1x3x8x8xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

// conv2d_c2
func.func @f(%x: tensor<1x6x8x8xf32>, %w: tensor<4x2x3x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{conv2d: 4 output channels of kernel 'tensor<4x2x3x3xf32>' do not part into 3 groups}}
  %0 = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 3 : (tensor<1x6x8x8xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

// conv2d_c3
func.func @f(%x: tensor<1x1x8x8xf32>, %w: tensor<4x1x3x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{conv2d needs 2 numbers of at least 1 for stride, but has [0, 1]}}
  %0 = net.conv2d %x, %w stride [0, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x1x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  return
}

// -----

// conv2d_c4
func.func @f(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x5x5xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{conv2d: a kernel of 5x5 that reaches over 5 elements does not fit into 'tensor<1x1x4x4xf32>' padded to 4}}
  %0 = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x1x4x4xf32>, tensor<1x1x5x5xf32>) -> tensor<1x1x1x1xf32>
  return
}
