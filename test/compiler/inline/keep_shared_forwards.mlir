// RUN: plumb-opt %s --plumb-keep-shared-forwards | FileCheck %s

net.parameter @w : tensor<f32> = dense<1.0> : tensor<f32>
net.parameter @scale : tensor<f32> = dense<1.0> : tensor<f32>
net.parameter @count : tensor<f32> = dense<0.0> : tensor<f32>

func.func private @forward(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %u2 = net.assign @w, %x after %u1 : tensor<f32>
  %y = net.mul %w, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %y, %u2 : tensor<f32>, !net.u
}

// What the call yields may be used for the adjoint, and parameters may be read in between.

// CHECK-LABEL: func.func @scaled(
// CHECK:         call @forward({{.*}}) {no_inline}
func.func @scaled(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, !net.u) {
  %y:2 = call @forward(%x, %u) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %s, %u1 = net.read @scale after %y#1 : tensor<f32>
  %a = net.mul %y#0, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %z:3 = net.value_and_grad @forward(%x, %u1, %a) {weights = [@w], sens = true} : (tensor<f32>, !net.u, tensor<f32>) -> (tensor<f32>, !net.u, tensor<f32>)
  return %y#0, %z#2, %z#1 : tensor<f32>, tensor<f32>, !net.u
}

// What is written in between may be another parameter's value; equal constants are the same argument. So two networks may
// run before the gradients of both.

// CHECK-LABEL: func.func @both(
// CHECK:         call @forward({{.*}}) {no_inline}
// CHECK:         call @counted({{.*}}) {no_inline}
func.func @both(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, !net.u) {
  %0 = net.constant dense<2.0> : tensor<f32>
  %1 = net.constant dense<2.0> : tensor<f32>
  %a:2 = call @forward(%0, %u) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %b:2 = call @counted(%x, %a#1) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %u1 = net.assign @scale, %x after %b#1 : tensor<f32>
  %c:3 = net.value_and_grad @forward(%1, %u1) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  %d:3 = net.value_and_grad @counted(%x, %c#1) {argnums = [0]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %c#2, %d#2, %d#1 : tensor<f32>, tensor<f32>, !net.u
}
func.func private @counted(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %c, %u1 = net.read @count after %u : tensor<f32>
  %0 = net.add %c, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %u2 = net.assign @count, %0 after %u1 : tensor<f32>
  return %x, %u2 : tensor<f32>, !net.u
}

// A write of what the function touches, another argument, and another function are other runs.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     no_inline
func.func @others(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, tensor<f32>, !net.u) {
  %a:2 = call @forward(%x, %u) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %u1 = net.assign @w, %x after %a#1 : tensor<f32>
  %b:3 = net.value_and_grad @forward(%x, %u1) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  %c:2 = call @forward(%a#0, %b#1) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %d:3 = net.value_and_grad @forward(%x, %c#1) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  %e:2 = call @other(%x, %d#1) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %f:3 = net.value_and_grad @forward(%x, %e#1) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %b#2, %d#2, %f#2, %f#1 : tensor<f32>, tensor<f32>, tensor<f32>, !net.u
}
func.func private @other(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %u1 = net.assign @w, %x after %u : tensor<f32>
  return %x, %u1 : tensor<f32>, !net.u
}

// A function with a rule of its own is called, not looked into.

// CHECK-LABEL: func.func @ruled(
// CHECK-NOT:     no_inline
func.func @ruled(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %a:2 = call @own(%x, %u) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %b:3 = net.value_and_grad @own(%x, %a#1) {argnums = [0]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %b#2, %b#1 : tensor<f32>, !net.u
}
func.func private @own(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) attributes {custom_bprop = @own_bprop} {
  %u1 = net.assign @w, %x after %u : tensor<f32>
  return %x, %u1 : tensor<f32>, !net.u
}
func.func private @own_bprop(%x: tensor<f32>, %y: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}
