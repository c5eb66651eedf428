// RUN: plumb-opt %s --plumb-remove-dead-states --canonicalize | FileCheck %s

// y depends on x, but nothing depends on y, except for its own next value.

// CHECK-LABEL: func.func @counted(
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<4xf32>)
// CHECK-NEXT:      %[[N:.*]] = net.exp %[[X]]
// CHECK-NEXT:      scf.yield %[[N]]
// CHECK:         return %[[R]]
func.func @counted(%a: tensor<4xf32>, %b: tensor<4xf32>, %count: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %zero to %count step %one iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = net.exp %x : tensor<4xf32>
    %2 = net.add %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0 : tensor<4xf32>
}

// Through another loop: the second loop's y needs the first one's, and nothing needs the second one's.

// CHECK-LABEL: func.func @two_loops(
// CHECK:         scf.while (%{{.*}} = %{{.*}}) : (tensor<f32>) -> tensor<f32> {
// CHECK-NOT:     tensor<8xf32>
// CHECK:         return
func.func @two_loops(%a: tensor<f32>, %b: tensor<8xf32>, %limit: tensor<f32>, %count: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.while (%x = %a, %y = %b) : (tensor<f32>, tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>) {
    %less = net.less %x, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %goes = tensor.extract %less[] : tensor<i1>
    scf.condition(%goes) %x, %y : tensor<f32>, tensor<8xf32>
  } do {
  ^bb0(%x: tensor<f32>, %y: tensor<8xf32>):
    %1 = net.exp %x : tensor<f32>
    %2 = net.add %y, %x : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    scf.yield %1, %2 : tensor<f32>, tensor<8xf32>
  }
  %3:2 = scf.for %i = %zero to %count step %one iter_args(%x = %0#0, %y = %0#1) -> (tensor<f32>, tensor<8xf32>) {
    %4 = net.exp %x : tensor<f32>
    %5 = net.add %y, %x : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    scf.yield %4, %5 : tensor<f32>, tensor<8xf32>
  }
  return %3#0 : tensor<f32>
}
