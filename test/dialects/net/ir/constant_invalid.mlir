// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// random_uniform_c1
func.func @f(%key: tensor<2xi32>, %counter: tensor<i32>) {
  // expected-error @+1 {{operand #0 must be 0D tensor of 32-bit signless integer values, but got 'tensor<2xi32>'}}
  %0 = net.random_uniform %key, %counter shape [2, 3] : (tensor<2xi32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%key: tensor<i32>, %counter: tensor<i32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{a tensor needs a number type and extents of at least 0}}
  %0 = net.random_uniform %key, %counter shape [-2] : (tensor<i32>, tensor<i32>) -> tensor<2xf32>
  return
}
