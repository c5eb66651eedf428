// RUN: plumb-opt %s --plumb-autodiff | FileCheck %s

// The stage alone: functions that were there to be differentiated, and rules that were there to be used, are gone.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>
net.entry @train calls @step (tensor<f32>) {mode = "train"}

// CHECK-LABEL: func.func @step(
// CHECK-NOT:     call
// CHECK-NOT:     net.value_and_grad
// CHECK:         return
// CHECK-NOT:   func.func
func.func @step(%x: tensor<f32>) -> (tensor<f32>, !net.u) {
  %u = net.token : !net.u
  %0:3 = net.value_and_grad @loss(%x, %u) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %0#2, %0#1 : tensor<f32>, !net.u
}
func.func private @loss(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %y = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %z = call @clip(%y) : (tensor<f32>) -> tensor<f32>
  return %z, %u1 : tensor<f32>, !net.u
}
func.func private @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop, no_inline} {
  %0 = net.tanh %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @clip_bprop(%x: tensor<f32>, %y: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  %0 = net.mul %dy, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
