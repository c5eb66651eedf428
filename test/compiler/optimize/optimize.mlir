// RUN: plumb-opt %s --plumb-auto-monad --plumb-inline --plumb-autodiff --plumb-optimize | FileCheck %s

// A step of linear regression from its typed functions: what is left is what one would write by hand. Forward code and
// update share the read of the weight, the adjoint of the input is gone, the mean's factor is one constant.

net.parameter @w : tensor<1x3xf32> = dense<1.0> : tensor<1x3xf32>
net.entry @train calls @step (tensor<8x3xf32>, tensor<8x1xf32>) {mode = "train"}

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[X:.*]]: tensor<8x3xf32>, %[[Y:.*]]: tensor<8x1xf32>) -> (tensor<f32>, !net.u)
// CHECK-DAG:     %[[C:.*]] = net.constant dense<2.500000e-01> : tensor<f32>
// CHECK-DAG:     %[[LR:.*]] = net.constant dense<1.000000e-01> : tensor<f32>
// CHECK-DAG:     %[[U:.*]] = net.token : !net.u
// CHECK:         %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK-NEXT:    %[[P:.*]] = net.matmul %[[X]], %[[W]] {transpose_b = true}
// CHECK-NEXT:    %[[E:.*]] = net.sub %[[P]], %[[Y]]
// CHECK-NEXT:    %[[S:.*]] = net.square %[[E]]
// CHECK-NEXT:    %[[L:.*]] = net.reduce_mean %[[S]]
// CHECK-NEXT:    %[[D:.*]] = net.mul %[[E]], %[[C]]
// CHECK-NEXT:    %[[G:.*]] = net.matmul %[[D]], %[[X]] {transpose_a = true}
// CHECK-NEXT:    %[[M:.*]] = net.mul %[[G]], %[[LR]]
// CHECK-NEXT:    %[[W1:.*]] = net.sub %[[W]], %[[M]]
// CHECK-NEXT:    %[[U2:.*]] = net.assign @w, %[[W1]] after %[[U1]]
// CHECK-NEXT:    return %[[L]], %[[U2]]
func.func @step(%x: tensor<8x3xf32>, %y: tensor<8x1xf32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @loss(%x, %y) {weights = [@w]} : (tensor<8x3xf32>, tensor<8x1xf32>) -> (tensor<f32>, tensor<1x3xf32>)
  %lr = net.constant dense<0.1> : tensor<f32>
  %w = net.read @w : tensor<1x3xf32>
  %d = net.mul %lr, %0#1 : (tensor<f32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  %w1 = net.sub %w, %d : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  net.assign @w, %w1 : tensor<1x3xf32>
  return %0#0 : tensor<f32>
}
func.func private @loss(%x: tensor<8x3xf32>, %y: tensor<8x1xf32>) -> tensor<f32> {
  %w = net.read @w : tensor<1x3xf32>
  %p = net.matmul %x, %w {transpose_b = true} : (tensor<8x3xf32>, tensor<1x3xf32>) -> tensor<8x1xf32>
  %e = net.sub %p, %y : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %s = net.square %e : tensor<8x1xf32>
  %l = net.reduce_mean %s over [] : (tensor<8x1xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
