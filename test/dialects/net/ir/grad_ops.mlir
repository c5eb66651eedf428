// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// value_and_grad, stop_gradient and straight_through: syntax survives printing and parsing.

net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>

func.func @forward(%x: tensor<4xf32>) -> tensor<f32> {
  // CHECK: net.stop_gradient %{{.*}} : tensor<4xf32>
  %s = net.stop_gradient %x : tensor<4xf32>
  // CHECK: net.straight_through %{{.*}}, %{{.*}} : tensor<4xf32>
  %t = net.straight_through %s, %x : tensor<4xf32>
  %y = net.reduce_sum %t over [] : (tensor<4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @train(
func.func @train(%x: tensor<4xf32>, %dy: tensor<f32>) {
  // CHECK: net.value_and_grad @forward(%{{.*}}) {argnums = [0], weights = [@w]} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>)
  %l, %dx, %dw = net.value_and_grad @forward(%x) {argnums = [0], weights = [@w]} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: net.value_and_grad @forward(%{{.*}}, %{{.*}}) {sens = true, weights = [@w]} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<4xf32>)
  %l2, %dw2 = net.value_and_grad @forward(%x, %dy) {weights = [@w], sens = true} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<4xf32>)
  return
}
