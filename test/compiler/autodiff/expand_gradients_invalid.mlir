// RUN: plumb-opt %s --plumb-expand-gradients --split-input-file --verify-diagnostics

func.func @no_rule(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // expected-note @+1 {{the gradient is taken here}}
  %0:2 = net.value_and_grad @reflectors(%x) {argnums = [0]} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  return %0#1 : tensor<3x2xf32>
}
func.func private @reflectors(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{has no gradient}}
  %0, %1 = net.geqrf %x : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  return %0 : tensor<3x2xf32>
}

// -----

func.func @no_body(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{differentiates 'elsewhere', which has no body here}}
  %0:2 = net.value_and_grad @elsewhere(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @elsewhere(%x: tensor<f32>) -> tensor<f32>

// -----

func.func @wrong_rule(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @use(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @use(%x: tensor<f32>) -> tensor<f32> {
  // expected-note @+1 {{it is needed for the function called here}}
  %0 = call @clip(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop, no_inline} {
  return %x : tensor<f32>
}
// expected-error @+1 {{is a gradient rule of another signature}}
func.func private @clip_bprop(%dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}

// -----

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

func.func @loop(%x: tensor<f32>, %n: index, %u: !net.u) -> (tensor<f32>, !net.u) {
  // expected-note @+1 {{the gradient is taken here}}
  %0:3 = net.value_and_grad @writes(%x, %n, %u) {argnums = [0]} : (tensor<f32>, index, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %0#2, %0#1 : tensor<f32>, !net.u
}
func.func private @writes(%x: tensor<f32>, %n: index, %u: !net.u) -> (tensor<f32>, !net.u) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{writes state, so its steps cannot be run again for a gradient}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %ui = %u) -> (tensor<f32>, !net.u) {
    %b = net.exp %a : tensor<f32>
    %u1 = net.assign @w, %b after %ui : tensor<f32>
    scf.yield %b, %u1 : tensor<f32>, !net.u
  }
  return %r#0, %r#1 : tensor<f32>, !net.u
}

// -----

func.func private @first(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @second(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @second(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{calls 'first', which calls the function that this stands in}}
  %0 = call @first(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @recursive(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @first(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
