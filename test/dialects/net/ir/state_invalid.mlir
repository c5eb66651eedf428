// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// read_c1
func.func @f() {
  // expected-error @+1 {{names no parameter: @w}}
  %v = net.read @w : tensor<4xf32>
  return
}

// -----

// read_c1
// expected-note @+1 {{the parameter is declared here}}
net.parameter @w : tensor<3xf32> = dense<0.0> : tensor<3xf32>
func.func @f() {
  // expected-error @+1 {{has a value of type 'tensor<4xf32>' for @w of type 'tensor<3xf32>'}}
  %v = net.read @w : tensor<4xf32>
  return
}

// -----

// assign_c1
// expected-note @+1 {{it is declared here}}
func.func private @w()
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{@w is not a parameter}}
  net.assign @w, %x : tensor<4xf32>
  return
}

// -----

// assign_c2
net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>
func.func @f(%x: tensor<4xf32>, %u: !net.u) {
  // expected-error @+1 {{takes a token exactly if it yields one}}
  "net.assign"(%x, %u) {parameter = @w} : (tensor<4xf32>, !net.u) -> ()
  return
}

// -----

// print_c2
func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{has 2 values for 1 {} in}}
  net.print "{{{} }}"(%x, %x) : tensor<f32>, tensor<f32>
  return
}
