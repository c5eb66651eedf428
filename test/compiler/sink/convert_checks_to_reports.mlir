// RUN: plumb-opt %s --plumb-convert-checks-to-reports | FileCheck %s

// CHECK: net.entry @test calls @main () {mode = "eval", reports = ["output", "expect_eq_0", "expect_close_1"]}
net.entry @test calls @main () {mode = "eval"}

// CHECK-LABEL: func.func @main() -> (tensor<2xf32>, tensor<i32>, tensor<i32>, !net.u)
func.func @main() -> (tensor<2xf32>, !net.u) {
  %u = net.token : !net.u
  // CHECK: %[[A:.*]] = net.constant dense<[1.0
  %a = net.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: %[[B:.*]] = net.constant dense<[1.0
  %b = net.constant dense<[1.0, 3.0]> : tensor<2xf32>
  // CHECK: %[[DIFFER:.*]] = net.not_equal %[[A]], %[[B]]
  // CHECK: %[[NUMBERS:.*]] = net.cast %[[DIFFER]] to i32
  // CHECK: %[[EQ:.*]] = net.reduce_sum %[[NUMBERS]]
  check.expect_eq %a, %b : tensor<2xf32>
  // CHECK: %[[CLOSE:.*]] = net.less_equal
  // CHECK: %[[FAR:.*]] = net.logical_not %[[CLOSE]]
  // CHECK: %[[COUNT:.*]] = net.reduce_sum
  check.expect_close %a, %b : tensor<2xf32>
  // CHECK: return %[[A]], %[[EQ]], %[[COUNT]], %{{.*}} : tensor<2xf32>, tensor<i32>, tensor<i32>, !net.u
  return %a, %u : tensor<2xf32>, !net.u
}
