// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identities(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
func.func @identities(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = net.reshape %x to [2, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = net.transpose %0 perm [0, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = net.broadcast_to %1 to [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = net.slice %2 from [0] to [5] by [] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = net.pad %3 low [0, 0] high [0, 0] value 0.0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = net.concat %4 axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
func.func @reshapes(%x: tensor<2x3xf32>) -> tensor<6x1xf32> {
  // CHECK-NEXT: %[[Y:.*]] = net.reshape %[[X]] to [6, 1]
  // CHECK-NEXT: return %[[Y]]
  %0 = net.expand_dims %x at 0 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %1 = net.flatten %0 : (tensor<1x2x3xf32>) -> tensor<1x6xf32>
  %2 = net.squeeze %1 at [] : (tensor<1x6xf32>) -> tensor<6xf32>
  %3 = net.reshape %2 to [6, 1] : (tensor<6xf32>) -> tensor<6x1xf32>
  return %3 : tensor<6x1xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
func.func @transposes(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  // CHECK-NEXT: %[[Y:.*]] = net.transpose %[[X]] perm [2, 1, 0]
  // CHECK-NEXT: return %[[Y]]
  %0 = net.transpose %x perm [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = net.transpose %0 perm [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @splats(
func.func @splats() -> tensor<3x2xf32> {
  // CHECK-NEXT: net.constant dense<2.000000e+00> : tensor<3x2xf32>
  %0 = net.constant dense<2.0> : tensor<1xf32>
  %1 = net.broadcast_to %0 to [2, 3] : (tensor<1xf32>) -> tensor<2x3xf32>
  %2 = net.transpose %1 perm [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}

// What is read behind writes of boxes is what was written there, or what stood there before writes elsewhere.
// CHECK-LABEL: func.func @boxes(
// CHECK-SAME: %[[X:.*]]: tensor<6x3xf32>, %[[U:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<2x3xf32>
func.func @boxes(%x: tensor<6x3xf32>, %u: tensor<2x3xf32>, %v: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK-NEXT: %[[Y:.*]] = net.slice_update %[[V]] into %[[X]] from [2, 0]
  // CHECK-NEXT: %[[BEFORE:.*]] = net.slice %[[X]] from [0] to [2]
  // CHECK-NEXT: %[[PARTLY:.*]] = net.slice %[[Y]] from [1] to [3]
  // CHECK-NEXT: %[[BETWEEN:.*]] = net.slice %[[Y]] from [0] to [6] by [3]
  // CHECK-NEXT: return %[[V]], %[[BEFORE]], %[[PARTLY]], %[[BETWEEN]]
  %hidden = net.slice_update %u into %x from [2, 0] by [1, 1] : (tensor<2x3xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
  %y = net.slice_update %v into %hidden from [2, 0] by [1, 1] : (tensor<2x3xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
  %same = net.slice %y from [2] to [4] by [1] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  %before = net.slice %y from [0] to [2] by [1] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  %partly = net.slice %y from [1] to [3] by [1] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  %between = net.slice %y from [0] to [6] by [3] : (tensor<6x3xf32>) -> tensor<2x3xf32>
  return %same, %before, %partly, %between : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// The same of rows.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: tensor<6x3xf32>, %[[U:.*]]: tensor<3xf32>, %[[V:.*]]: tensor<3xf32>, %[[I:.*]]: index, %[[J:.*]]: index
func.func @rows(%x: tensor<6x3xf32>, %u: tensor<3xf32>, %v: tensor<3xf32>, %i: index, %j: index) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-DAG:  %[[TWO:.*]] = arith.constant 2
  // CHECK:      %[[Y:.*]] = net.row_update %[[V]] into %[[X]][%[[I]]]
  // CHECK-NEXT: %[[OTHER:.*]] = net.row %[[Y]][%[[J]]]
  // CHECK-NEXT: %[[FAR:.*]] = net.row %[[X]][%[[TWO]]]
  // CHECK-NEXT: return %[[V]], %[[OTHER]], %[[FAR]]
  %hidden = net.row_update %u into %x[%i] : (tensor<3xf32>, tensor<6x3xf32>, index) -> tensor<6x3xf32>
  %y = net.row_update %v into %hidden[%i] : (tensor<3xf32>, tensor<6x3xf32>, index) -> tensor<6x3xf32>
  %same = net.row %y[%i] : (tensor<6x3xf32>, index) -> tensor<3xf32>
  %other = net.row %y[%j] : (tensor<6x3xf32>, index) -> tensor<3xf32>
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %z = net.row_update %u into %x[%one] : (tensor<3xf32>, tensor<6x3xf32>, index) -> tensor<6x3xf32>
  %far = net.row %z[%two] : (tensor<6x3xf32>, index) -> tensor<3xf32>
  return %same, %other, %far : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// Rows along one axis say nothing of rows along another.
// CHECK-LABEL: func.func @rows_of_axes(
// CHECK-SAME: %[[X:.*]]: tensor<3x3xf32>, %[[U:.*]]: tensor<3xf32>, %[[I:.*]]: index
func.func @rows_of_axes(%x: tensor<3x3xf32>, %u: tensor<3xf32>, %i: index) -> (tensor<3xf32>, tensor<3xf32>) {
  // CHECK:      %[[Y:.*]] = net.row_update %[[U]] into %[[X]][%[[I]]] {axis = 1 : i64}
  // CHECK-NEXT: %[[ROW:.*]] = net.row %[[Y]][%[[I]]] : (tensor<3x3xf32>, index)
  // CHECK-NEXT: return %[[U]], %[[ROW]]
  %y = net.row_update %u into %x[%i] {axis = 1 : i64} : (tensor<3xf32>, tensor<3x3xf32>, index) -> tensor<3x3xf32>
  %same = net.row %y[%i] {axis = 1 : i64} : (tensor<3x3xf32>, index) -> tensor<3xf32>
  %other = net.row %y[%i] : (tensor<3x3xf32>, index) -> tensor<3xf32>
  return %same, %other : tensor<3xf32>, tensor<3xf32>
}
