// RUN: plumb-opt %s --plumb-keep-shared-forwards | FileCheck %s

// A gradient of what touches no state, and one of a token that no call returned, keep nothing.

net.parameter @w : tensor<f32> = dense<1.0> : tensor<f32>

// CHECK-LABEL: func.func @pure(
// CHECK-NOT:     no_inline
func.func @pure(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %a = call @square(%x) : (tensor<f32>) -> tensor<f32>
  %b:2 = net.value_and_grad @square(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %a, %b#1 : tensor<f32>, tensor<f32>
}
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     no_inline
func.func @alone(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %b:3 = net.value_and_grad @read(%x, %u) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %b#2, %b#1 : tensor<f32>, !net.u
}
func.func private @read(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %0 = net.mul %w, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %u1 : tensor<f32>, !net.u
}
