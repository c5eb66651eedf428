// RUN: plumb-opt %s --plumb-hoist-row-updates | FileCheck %s

// One side changes a row: both yield a row and its index.

// CHECK-LABEL: func.func @one_side(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<100x8xf32>, %[[R:.*]]: tensor<8xf32>, %[[I:.*]]: index, %[[S:.*]]: tensor<f32>)
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         %[[B:.*]]:3 = scf.if %[[C]] -> (tensor<8xf32>, tensor<f32>, index) {
// CHECK:           %[[E:.*]] = net.exp %[[R]]
// CHECK:           scf.yield %[[E]], %[[S]], %[[I]]
// CHECK:         } else {
// CHECK:           %[[OLD:.*]] = net.row %[[X]][%[[ZERO]]]
// CHECK:           scf.yield %[[OLD]], %[[S]], %[[ZERO]]
// CHECK:         %[[Y:.*]] = net.row_update %[[B]]#0 into %[[X]][%[[B]]#2]
// CHECK:         return %[[Y]], %[[B]]#1
func.func @one_side(%c: i1, %x: tensor<100x8xf32>, %r: tensor<8xf32>, %i: index, %s: tensor<f32>) -> (tensor<100x8xf32>, tensor<f32>) {
  %y:2 = scf.if %c -> (tensor<100x8xf32>, tensor<f32>) {
    %e = net.exp %r : tensor<8xf32>
    %0 = net.row_update %e into %x[%i] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
    scf.yield %0, %s : tensor<100x8xf32>, tensor<f32>
  } else {
    scf.yield %x, %s : tensor<100x8xf32>, tensor<f32>
  }
  return %y#0, %y#1 : tensor<100x8xf32>, tensor<f32>
}

// Both sides change one, along the second axis.

// CHECK-LABEL: func.func @both_sides(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<8x100xf32>, %[[R:.*]]: tensor<8xf32>, %[[I:.*]]: index, %[[J:.*]]: index)
// CHECK:         %[[B:.*]]:2 = scf.if %[[C]] -> (tensor<8xf32>, index) {
// CHECK-NEXT:      scf.yield %[[R]], %[[I]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[R]], %[[J]]
// CHECK:         net.row_update %[[B]]#0 into %[[X]][%[[B]]#1] {axis = 1 : i64}
func.func @both_sides(%c: i1, %x: tensor<8x100xf32>, %r: tensor<8xf32>, %i: index, %j: index) -> tensor<8x100xf32> {
  %y = scf.if %c -> (tensor<8x100xf32>) {
    %0 = net.row_update %r into %x[%i] {axis = 1 : i64} : (tensor<8xf32>, tensor<8x100xf32>, index) -> tensor<8x100xf32>
    scf.yield %0 : tensor<8x100xf32>
  } else {
    %0 = net.row_update %r into %x[%j] {axis = 1 : i64} : (tensor<8xf32>, tensor<8x100xf32>, index) -> tensor<8x100xf32>
    scf.yield %0 : tensor<8x100xf32>
  }
  return %y : tensor<8x100xf32>
}
