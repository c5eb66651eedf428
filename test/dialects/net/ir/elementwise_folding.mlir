// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @inverse(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[P:.*]]: tensor<4xi1>
func.func @inverse(%x: tensor<4xf32>, %p: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi1>) {
  // CHECK-NEXT: return %[[X]], %[[P]]
  %0 = net.neg %x : tensor<4xf32>
  %1 = net.neg %0 : tensor<4xf32>
  %2 = net.logical_not %p : tensor<4xi1>
  %3 = net.logical_not %2 : tensor<4xi1>
  return %1, %3 : tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @same_cast(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @same_cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = net.cast %x to f32 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant_cast(
func.func @constant_cast() -> (tensor<4xf32>, tensor<i32>) {
  // CHECK-DAG: net.constant dense<3.000000e+00> : tensor<4xf32>
  // CHECK-DAG: net.constant dense<-2> : tensor<i32>
  %a = net.constant dense<3> : tensor<4xi32>
  %b = net.constant dense<-2.9> : tensor<f32>
  %0 = net.cast %a to f32 : (tensor<4xi32>) -> tensor<4xf32>
  %1 = net.cast %b to i32 : (tensor<f32>) -> tensor<i32>
  return %0, %1 : tensor<4xf32>, tensor<i32>
}

// CHECK-LABEL: func.func @known_choice(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
func.func @known_choice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[Y]]
  %no = net.constant dense<false> : tensor<i1>
  %0 = net.select %no, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
