// RUN: plumb-opt %s | plumb-opt | FileCheck %s

// CHECK-LABEL: func.func @assertions
func.func @assertions(%n: tensor<i32>, %x: tensor<2xf32>) {
  // CHECK: check.assert %{{.*}}, "RuntimeError: {} is not zero" : tensor<i32>
  check.assert %n, "RuntimeError: {} is not zero" : tensor<i32>
  // CHECK: check.assert %{{.*}}, "ValueError: wrong" at_once : tensor<i32>
  check.assert %n, "ValueError: wrong" at_once : tensor<i32>
  // CHECK: check.assert %{{.*}}, "ValueError: {} is wrong" at_once(%{{.*}}) : tensor<i32>, tensor<2xf32>
  check.assert %n, "ValueError: {} is wrong" at_once (%x) : tensor<i32>, tensor<2xf32>
  return
}
