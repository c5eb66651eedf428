// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @train(%x: tensor<4xf32>) {
  // expected-error @+1 {{names no function: @forward}}
  %l = net.value_and_grad @forward(%x) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

// value_and_grad_c1
// expected-note @+1 {{the function is declared here}}
func.func private @forward(tensor<4xf32>) -> tensor<f32>
func.func @train(%x: tensor<3xf32>) {
  // expected-error @+1 {{operand types must be ('tensor<4xf32>'), but are ('tensor<3xf32>')}}
  %l, %dx = net.value_and_grad @forward(%x) {argnums = [0]} : (tensor<3xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// value_and_grad_c2
func.func private @forward(tensor<4xf32>) -> tensor<f32>
func.func @train(%x: tensor<4xf32>) {
  // expected-error @+1 {{differentiates by argument 1, which is no tensor argument of numbers}}
  %l, %dx = net.value_and_grad @forward(%x) {argnums = [1]} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// value_and_grad_c3
func.func private @forward(tensor<4xf32>) -> tensor<f32>
func.func @train(%x: tensor<4xf32>) {
  // expected-error @+1 {{differentiates by @w, which is no parameter}}
  %l, %dw = net.value_and_grad @forward(%x) {weights = [@w]} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// value_and_grad_c2
func.func private @forward(tensor<vector<2xf32>>) -> tensor<f32>
func.func @train(%x: tensor<vector<2xf32>>) {
  // expected-error @+1 {{differentiates by argument 0, which is no tensor argument of numbers}}
  %l, %dx = net.value_and_grad @forward(%x) {argnums = [0]} : (tensor<vector<2xf32>>) -> (tensor<f32>, tensor<vector<2xf32>>)
  return
}
