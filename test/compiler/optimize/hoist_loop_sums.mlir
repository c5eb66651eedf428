// RUN: plumb-opt %s --split-input-file --plumb-hoist-loop-sums --canonicalize | FileCheck %s

// The gradient of a weight of 8 x 16 in 10 steps of 2 rows.

// CHECK-LABEL: func.func @weight(
// CHECK:         %[[A:.*]] = tensor.empty() : tensor<10x2x8xf32>
// CHECK:         %[[B:.*]] = tensor.empty() : tensor<10x2x16xf32>
// CHECK:         %[[R:.*]]:3 = scf.for %[[T:.*]] = %{{.*}} iter_args(%[[H:.*]] = %{{.*}}, %[[AS:.*]] = %[[A]], %[[BS:.*]] = %[[B]])
// CHECK:           %[[NEXT:.*]] = net.tanh %[[H]]
// CHECK:           %[[D:.*]] = net.concat
// CHECK-NOT:       net.matmul
// CHECK:           %[[STORED:.*]] = net.row_update %[[NEXT]] into %[[AS]][%[[T]]]
// CHECK-NEXT:      %[[OTHER:.*]] = net.row_update %[[D]] into %[[BS]][%[[T]]]
// CHECK-NEXT:      scf.yield %[[NEXT]], %[[STORED]], %[[OTHER]]
// CHECK:         %[[JOINED:.*]] = net.reshape %[[R]]#1 to [20, 8]
// CHECK-NEXT:    %[[DS:.*]] = net.reshape %[[R]]#2 to [20, 16]
// CHECK-NEXT:    %[[SUM:.*]] = net.matmul %[[JOINED]], %[[DS]] {transpose_a = true}
// CHECK-NEXT:    return %[[R]]#0, %[[SUM]]
func.func @weight(%h0: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<8x16xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10 : index
  %zeros = net.constant dense<0.0> : tensor<8x16xf32>
  %r:2 = scf.for %t = %zero to %n step %one iter_args(%h = %h0, %s = %zeros) -> (tensor<2x8xf32>, tensor<8x16xf32>) {
    %next = net.tanh %h : tensor<2x8xf32>
    %d = net.concat %next, %h axis 1 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
    %p = net.matmul %next, %d {transpose_a = true} : (tensor<2x8xf32>, tensor<2x16xf32>) -> tensor<8x16xf32>
    %sum = net.add %s, %p : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    scf.yield %next, %sum : tensor<2x8xf32>, tensor<8x16xf32>
  }
  return %r#0, %r#1 : tensor<2x8xf32>, tensor<8x16xf32>
}

// -----

// The other way round: what is summed over stands last in the one factor and in the other; and the sum starts with
// something.

// CHECK-LABEL: func.func @transposed(
// CHECK-SAME:    %[[A:.*]]: tensor<10x16x2xf32>, %[[B:.*]]: tensor<10x8x2xf32>, %[[INIT:.*]]: tensor<16x8xf32>
// CHECK:         %[[R:.*]]:2 = scf.for
// CHECK:           net.row_update %{{.*}} into %{{.*}} {axis = 1 : i64} : (tensor<16x2xf32>, tensor<16x10x2xf32>, index)
// CHECK:           net.row_update %{{.*}} into %{{.*}} {axis = 1 : i64} : (tensor<8x2xf32>, tensor<8x10x2xf32>, index)
// CHECK:         %[[AS:.*]] = net.reshape %[[R]]#0 to [16, 20]
// CHECK-NEXT:    %[[BS:.*]] = net.reshape %[[R]]#1 to [8, 20]
// CHECK-NEXT:    %[[P:.*]] = net.matmul %[[AS]], %[[BS]] {transpose_b = true}
// CHECK-NEXT:    net.add %[[INIT]], %[[P]]
func.func @transposed(%as: tensor<10x16x2xf32>, %bs: tensor<10x8x2xf32>, %init: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %t = %zero to %n step %one iter_args(%s = %init) -> (tensor<16x8xf32>) {
    %a = net.row %as[%t] : (tensor<10x16x2xf32>, index) -> tensor<16x2xf32>
    %b = net.row %bs[%t] : (tensor<10x8x2xf32>, index) -> tensor<8x2xf32>
    %p = net.matmul %a, %b {transpose_b = true} : (tensor<16x2xf32>, tensor<8x2xf32>) -> tensor<16x8xf32>
    %sum = net.add %p, %s : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    scf.yield %sum : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}
