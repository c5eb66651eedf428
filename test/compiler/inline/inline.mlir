// RUN: plumb-opt %s --plumb-inline | FileCheck %s

// The stage alone: calls are gone, in branches, too; what is marked no_inline or named by a gradient stays.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>
net.entry @train calls @step (tensor<i1>, tensor<f32>) {mode = "train"}

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[T:.*]]: tensor<i1>, %[[X:.*]]: tensor<f32>)
// CHECK:         %[[C:.*]] = tensor.extract %[[T]]
// CHECK:         %[[U:.*]] = net.token : !net.u
// CHECK:         %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK:         scf.if %[[C]]
// CHECK:           net.mul %[[X]], %[[X]]
// CHECK:         call @kept(
// CHECK:         net.value_and_grad @loss(
func.func @step(%t: tensor<i1>, %x: tensor<f32>) -> (tensor<f32>, !net.u) {
  %c = tensor.extract %t[] : tensor<i1>
  %u = net.token : !net.u
  %w, %u1 = call @weight(%u) : (!net.u) -> (tensor<f32>, !net.u)
  %y = scf.if %c -> (tensor<f32>) {
    %s = func.call @square(%x) : (tensor<f32>) -> tensor<f32>
    scf.yield %s : tensor<f32>
  } else {
    scf.yield %w : tensor<f32>
  }
  %k = call @kept(%y) : (tensor<f32>) -> tensor<f32>
  %l:2 = net.value_and_grad @loss(%k) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %l#1, %u1 : tensor<f32>, !net.u
}

// CHECK-NOT: @weight
func.func @weight(%u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  return %w, %u1 : tensor<f32>, !net.u
}

// CHECK-NOT: @square
func.func @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK: func.func private @kept(
func.func @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  return %x : tensor<f32>
}

// CHECK: func.func private @loss(
// CHECK-NOT: call
func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @square(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
