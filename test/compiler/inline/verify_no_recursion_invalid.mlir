// RUN: plumb-opt %s --plumb-verify-no-recursion --split-input-file --verify-diagnostics

func.func private @start(%n: tensor<i32>) -> tensor<i32> {
  %0 = call @even(%n) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @even(%n: tensor<i32>) -> tensor<i32> {
  // expected-note @+1 {{'even' calls 'odd' here}}
  %0 = call @odd(%n) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @odd(%n: tensor<i32>) -> tensor<i32> {
  // expected-error @+1 {{recursion: 'odd' calls 'even', which is being called already}}
  %0 = call @even(%n) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// A gradient counts as a call.

func.func private @self(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{recursion: 'self' calls 'self', which is being called already}}
  %0:2 = net.value_and_grad @self(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
