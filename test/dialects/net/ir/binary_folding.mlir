// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @neutral(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %zero = net.constant dense<0.0> : tensor<f32>
  %one = net.constant dense<1.0> : tensor<4xf32>
  %0 = net.add %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = net.mul %one, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = net.sub %1, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = net.div %2, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = net.pow %3, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = net.maximum %4, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// A neutral element that broadcasts the other operand is not neutral.
// CHECK-LABEL: func.func @broadcasting(
func.func @broadcasting(%x: tensor<f32>) -> tensor<4xf32> {
  // CHECK: net.add
  %zero = net.constant dense<0.0> : tensor<4xf32>
  %0 = net.add %x, %zero : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @constants(
func.func @constants() -> (tensor<2xf32>, tensor<2xi32>, tensor<i32>) {
  // CHECK-DAG: net.constant dense<[5.000000e+00, 7.000000e+00]> : tensor<2xf32>
  // CHECK-DAG: net.constant dense<-3> : tensor<2xi32>
  %a = net.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %b = net.constant dense<2.0> : tensor<f32>
  %c = net.constant dense<1.0> : tensor<2xf32>
  %0 = net.mul %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = net.add %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = net.constant dense<-7> : tensor<2xi32>
  %e = net.constant dense<2> : tensor<i32>
  %2 = net.div %d, %e : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  // Division by zero stays for the program to meet.
  // CHECK: net.div
  %z = net.constant dense<0> : tensor<i32>
  %3 = net.div %e, %z : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %1, %2, %3 : tensor<2xf32>, tensor<2xi32>, tensor<i32>
}
