// RUN: plumb-opt %s | plumb-opt | FileCheck %s

// CHECK-LABEL: func.func @expectations
func.func @expectations(%a: tensor<2xf32>, %b: tensor<2xf32>, %i: tensor<3xi32>) {
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<3xi32>
  check.expect_eq %i, %i : tensor<3xi32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}} : tensor<2xf32>
  check.expect_close %a, %b : tensor<2xf32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}} {atol = 1.000000e-03 : f64} : tensor<2xf32>
  check.expect_close %a, %b {atol = 1.0e-3 : f64} : tensor<2xf32>
  return
}
