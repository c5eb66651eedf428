// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4x5xf32>) {
  // expected-error @+1 {{axis 2 is out of range for 'tensor<4x5xf32>' of 2 axes}}
  %0 = net.softmax %x axis 2 : tensor<4x5xf32>
  return
}

// -----

// softmax_cross_entropy_c1
func.func @f(%x: tensor<4x5xf32>, %p: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{needs scores and probabilities of one [rows, classes] type, but has 'tensor<4x5xf32>' and 'tensor<4xf32>'}}
  %0 = net.softmax_cross_entropy %x, %p : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// sparse_softmax_cross_entropy_c1
func.func @f(%x: tensor<4x5xf32>, %c: tensor<3xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{needs scores [rows, classes] and one integer class per row, but has 'tensor<4x5xf32>' and 'tensor<3xi32>'}}
  %0 = net.sparse_softmax_cross_entropy %x, %c : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

// softmax_cross_entropy_grad_c1
func.func @f(%x: tensor<2x3xf32>, %p: tensor<2x7xf32>, %d: tensor<2xf32>) {
  // expected-error @+1 {{needs scores and labels of one matrix type and an element per row, but has 'tensor<2x3xf32>', 'tensor<2x7xf32>' and 'tensor<2xf32>'}}
  %0 = net.softmax_cross_entropy_grad %x, %p, %d : (tensor<2x3xf32>, tensor<2x7xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

// sparse_softmax_cross_entropy_grad_c1
func.func @f(%x: tensor<2x3xf32>, %c: tensor<9xi32>, %d: tensor<2xf64>) {
  // expected-error @+1 {{needs scores [rows, classes], one integer class and one element per row, but has 'tensor<2x3xf32>', 'tensor<9xi32>' and 'tensor<2xf64>'}}
  %0 = net.sparse_softmax_cross_entropy_grad %x, %c, %d : (tensor<2x3xf32>, tensor<9xi32>, tensor<2xf64>) -> tensor<2x3xf32>
  return
}
