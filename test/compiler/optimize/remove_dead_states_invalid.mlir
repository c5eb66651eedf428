// RUN: plumb-opt %s --plumb-remove-dead-states --canonicalize | FileCheck %s

// Parts that a condition, another part that is needed, or a branch needs stay, though no result of theirs is used.

// CHECK-LABEL: func.func @condition(
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<4xf32>, tensor<f32>)
// CHECK:         net.exp
func.func @condition(%a: tensor<4xf32>, %b: tensor<f32>, %limit: tensor<f32>) -> tensor<4xf32> {
  %0:2 = scf.while (%x = %a, %y = %b) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
    %less = net.less %y, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %goes = tensor.extract %less[] : tensor<i1>
    scf.condition(%goes) %x, %y : tensor<4xf32>, tensor<f32>
  } do {
  ^bb0(%x: tensor<4xf32>, %y: tensor<f32>):
    %1 = net.neg %x : tensor<4xf32>
    %2 = net.exp %y : tensor<f32>
    scf.yield %1, %2 : tensor<4xf32>, tensor<f32>
  }
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @one_step_later(
// CHECK:         scf.for {{.*}} -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:           net.exp
// CHECK:           net.neg
func.func @one_step_later(%a: tensor<4xf32>, %b: tensor<4xf32>, %count: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %zero to %count step %one iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = net.exp %y : tensor<4xf32>
    %2 = net.neg %y : tensor<4xf32>
    scf.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK:         scf.for {{.*}} -> (tensor<4xf32>, tensor<f32>)
// CHECK:           scf.if
func.func @branch(%a: tensor<4xf32>, %b: tensor<f32>, %limit: tensor<f32>, %count: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %zero to %count step %one iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<f32>) {
    %less = net.less %y, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = tensor.extract %less[] : tensor<i1>
    %1 = scf.if %c -> tensor<4xf32> {
      %2 = net.exp %x : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    %3 = net.exp %y : tensor<f32>
    scf.yield %1, %3 : tensor<4xf32>, tensor<f32>
  }
  return %0#0 : tensor<4xf32>
}
