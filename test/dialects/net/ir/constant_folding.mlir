// RUN: plumb-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @filled(
func.func @filled(%x: tensor<4xi32>) -> (tensor<2x3xf32>, tensor<4xi32>, tensor<4xi32>) {
  // CHECK-DAG: net.constant dense<1.500000e+00> : tensor<2x3xf32>
  // CHECK-DAG: net.constant dense<0> : tensor<4xi32>
  // CHECK-DAG: net.constant dense<1> : tensor<4xi32>
  %0 = net.fill f32 [2, 3] value 1.5 : tensor<2x3xf32>
  %1 = net.zeros_like %x : tensor<4xi32>
  %2 = net.ones_like %x : tensor<4xi32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<4xi32>, tensor<4xi32>
}
