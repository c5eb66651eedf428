// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// max_pool2d_c1
func.func @f(%x: tensor<6x28x28xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{max_pool2d needs an image of four axes (NCHW), but has 'tensor<6x28x28xf32>'}}
  %0 = net.max_pool2d %x kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<6x28x28xf32>) -> tensor<6x14x14xf32>
  return
}

// -----

// max_pool2d_c2
func.func @f(%x: tensor<1x1x4x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{max_pool2d: pads must be smaller than the kernel of 2, or a window would see nothing of 'tensor<1x1x4x4xf32>'}}
  %0 = net.max_pool2d %x kernel [2, 2] stride [2, 2] pad [2, 0, 0, 0] : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x2xf32>
  return
}

// -----

// avg_pool2d_c3
func.func @f(%x: tensor<1x1x2x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{avg_pool2d: a kernel of 3x3 that reaches over 3 elements does not fit into 'tensor<1x1x2x2xf32>' padded to 2}}
  %0 = net.avg_pool2d %x kernel [3, 3] stride [1, 1] pad [0, 0, 0, 0] : (tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

// max_pool2d_grad_c1
func.func @f(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x2x2xf32>, %dy: tensor<1x1x3x3xf32>) {
  // expected-error @+1 {{pools 'tensor<1x1x4x4xf32>' to 'tensor<1x1x2x2xf32>', but has 'tensor<1x1x3x3xf32>'}}
  %0 = net.max_pool2d_grad %x, %y, %dy kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

// max_pool2d_pick_c1
func.func @f(%x: tensor<1x1x4x4xf32>, %y: tensor<1x1x3x3xf32>, %ddx: tensor<1x1x4x4xf32>) {
  // expected-error @+1 {{pools 'tensor<1x1x4x4xf32>' to 'tensor<1x1x2x2xf32>', but has 'tensor<1x1x3x3xf32>'}}
  %0 = net.max_pool2d_pick %x, %y, %ddx kernel [2, 2] stride [2, 2] pad [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32>
  return
}
