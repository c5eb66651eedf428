// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// Products of small whole numbers, exact in f32 whatever the order of summation: odd, unit and prime extents, all
// transposes.

// CHECK: "step": 1, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_eq_3": 0, "expect_eq_4": 0, "expect_eq_5": 0}
// CHECK: "step": 2, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_eq_3": 0, "expect_eq_4": 0, "expect_eq_5": 0}

net.parameter @a0 : tensor<3x5xf32> = dense<[[0.0, 0.0, 2.0, 3.0, -3.0], [-2.0, 2.0, 3.0, -2.0, -1.0], [3.0, -1.0, -2.0, 2.0, -2.0]]> : tensor<3x5xf32>
net.parameter @b0 : tensor<5x7xf32> = dense<[[-1.0, 1.0, 0.0, -3.0, -3.0, 3.0, 2.0], [2.0, 0.0, 2.0, -1.0, 0.0, 2.0, -3.0], [-1.0, -3.0, 0.0, 3.0, -3.0, -1.0, -1.0], [3.0, -2.0, 0.0, -2.0, -3.0, 2.0, -3.0], [-2.0, 0.0, 0.0, -3.0, 3.0, 2.0, 3.0]]> : tensor<5x7xf32>
net.parameter @a1 : tensor<1x1xf32> = dense<[[-3.0]]> : tensor<1x1xf32>
net.parameter @b1 : tensor<1x1xf32> = dense<[[2.0]]> : tensor<1x1xf32>
net.parameter @a2 : tensor<13x1xf32> = dense<[[-1.0], [0.0], [3.0], [-2.0], [2.0], [-2.0], [-1.0], [3.0], [-1.0], [0.0], [-1.0], [-3.0], [-1.0]]> : tensor<13x1xf32>
net.parameter @b2 : tensor<13x1xf32> = dense<[[1.0], [0.0], [2.0], [-1.0], [1.0], [2.0], [3.0], [-1.0], [-3.0], [2.0], [0.0], [3.0], [0.0]]> : tensor<13x1xf32>
net.parameter @a3 : tensor<1x17xf32> = dense<[[-1.0, -3.0, 0.0, 1.0, 2.0, 2.0, -2.0, 1.0, 2.0, -2.0, -1.0, 2.0, 1.0, 0.0, 1.0, 0.0, 3.0]]> : tensor<1x17xf32>
net.parameter @b3 : tensor<5x1xf32> = dense<[[2.0], [-3.0], [-2.0], [0.0], [2.0]]> : tensor<5x1xf32>
net.parameter @a4 : tensor<5x19xf32> = dense<[[-3.0, 1.0, 2.0, 2.0, 3.0, -2.0, 0.0, 2.0, -1.0, -2.0, 0.0, -3.0, -2.0, 2.0, 1.0, 3.0, 2.0, 3.0, -1.0], [0.0, 1.0, -2.0, 3.0, -3.0, 2.0, 1.0, -2.0, 2.0, -1.0, 2.0, 3.0, -2.0, 0.0, -2.0, 1.0, 1.0, 2.0, 2.0], [3.0, 3.0, 3.0, -2.0, -3.0, 0.0, -1.0, 3.0, 2.0, -1.0, 1.0, 1.0, 3.0, -3.0, 0.0, 1.0, 0.0, 3.0, 3.0], [2.0, 0.0, 3.0, -3.0, 1.0, -2.0, -2.0, 1.0, 2.0, 3.0, -2.0, 3.0, 2.0, -1.0, -3.0, 2.0, 2.0, 0.0, -2.0], [-2.0, -1.0, 2.0, -1.0, -3.0, 1.0, 2.0, -2.0, 0.0, -1.0, 0.0, -3.0, 1.0, -2.0, 0.0, -1.0, 1.0, -3.0, -1.0]]> : tensor<5x19xf32>
net.parameter @b4 : tensor<3x19xf32> = dense<[[1.0, 2.0, -1.0, -3.0, 2.0, 0.0, 1.0, -2.0, 0.0, 3.0, 3.0, -1.0, 1.0, -3.0, 2.0, -2.0, -1.0, 3.0, 0.0], [3.0, -2.0, 2.0, 3.0, -3.0, -2.0, -2.0, -2.0, -1.0, -3.0, 3.0, -2.0, 3.0, 2.0, -2.0, 1.0, 2.0, -3.0, -3.0], [-1.0, -3.0, -1.0, 0.0, 1.0, 1.0, 0.0, -2.0, 1.0, 0.0, 2.0, 1.0, 2.0, 1.0, -1.0, -2.0, 0.0, 1.0, -1.0]]> : tensor<3x19xf32>
net.parameter @a5 : tensor<3x2xf32> = dense<[[-2.0, -3.0], [-3.0, -2.0], [-1.0, -2.0]]> : tensor<3x2xf32>
net.parameter @b5 : tensor<3x17xf32> = dense<[[-2.0, -1.0, 2.0, -1.0, 3.0, 1.0, -3.0, 3.0, 3.0, 2.0, -2.0, 2.0, 1.0, 2.0, 1.0, 1.0, -1.0], [3.0, 3.0, 1.0, -1.0, 0.0, 0.0, -3.0, -3.0, 0.0, 0.0, -2.0, -2.0, -3.0, 3.0, 0.0, -2.0, 2.0], [3.0, -1.0, 3.0, 2.0, 2.0, 0.0, 3.0, -2.0, -3.0, 3.0, 0.0, -1.0, 2.0, -1.0, 1.0, 2.0, 2.0]]> : tensor<3x17xf32>
func.func @main() {
  %a0 = net.read @a0 : tensor<3x5xf32>
  %b0 = net.read @b0 : tensor<5x7xf32>
  %a1 = net.read @a1 : tensor<1x1xf32>
  %b1 = net.read @b1 : tensor<1x1xf32>
  %a2 = net.read @a2 : tensor<13x1xf32>
  %b2 = net.read @b2 : tensor<13x1xf32>
  %a3 = net.read @a3 : tensor<1x17xf32>
  %b3 = net.read @b3 : tensor<5x1xf32>
  %a4 = net.read @a4 : tensor<5x19xf32>
  %b4 = net.read @b4 : tensor<3x19xf32>
  %a5 = net.read @a5 : tensor<3x2xf32>
  %b5 = net.read @b5 : tensor<3x17xf32>
  %c0 = net.matmul %a0, %b0 : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  %e0 = net.constant dense<[[13.0, -12.0, 0.0, 9.0, -24.0, -2.0, -20.0], [-1.0, -7.0, 4.0, 20.0, 0.0, -11.0, -10.0], [7.0, 5.0, -2.0, -12.0, -15.0, 9.0, -1.0]]> : tensor<3x7xf32>
  check.expect_eq %c0, %e0 : tensor<3x7xf32>
  %c1 = net.matmul %a1, %b1 {transpose_b = true} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %e1 = net.constant dense<[[-6.0]]> : tensor<1x1xf32>
  check.expect_eq %c1, %e1 : tensor<1x1xf32>
  %c2 = net.matmul %a2, %b2 {transpose_a = true} : (tensor<13x1xf32>, tensor<13x1xf32>) -> tensor<1x1xf32>
  %e2 = net.constant dense<[[-7.0]]> : tensor<1x1xf32>
  check.expect_eq %c2, %e2 : tensor<1x1xf32>
  %c3 = net.matmul %a3, %b3 {transpose_a = true, transpose_b = true} : (tensor<1x17xf32>, tensor<5x1xf32>) -> tensor<17x5xf32>
  %e3 = net.constant dense<[[-2.0, 3.0, 2.0, 0.0, -2.0], [-6.0, 9.0, 6.0, 0.0, -6.0], [0.0, 0.0, 0.0, 0.0, 0.0], [2.0, -3.0, -2.0, 0.0, 2.0], [4.0, -6.0, -4.0, 0.0, 4.0], [4.0, -6.0, -4.0, 0.0, 4.0], [-4.0, 6.0, 4.0, 0.0, -4.0], [2.0, -3.0, -2.0, 0.0, 2.0], [4.0, -6.0, -4.0, 0.0, 4.0], [-4.0, 6.0, 4.0, 0.0, -4.0], [-2.0, 3.0, 2.0, 0.0, -2.0], [4.0, -6.0, -4.0, 0.0, 4.0], [2.0, -3.0, -2.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0], [2.0, -3.0, -2.0, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0], [6.0, -9.0, -6.0, 0.0, 6.0]]> : tensor<17x5xf32>
  check.expect_eq %c3, %e3 : tensor<17x5xf32>
  %c4 = net.matmul %a4, %b4 {transpose_b = true} : (tensor<5x19xf32>, tensor<3x19xf32>) -> tensor<5x3xf32>
  %e4 = net.constant dense<[[-15.0, 0.0, -14.0], [-9.0, 0.0, 7.0], [17.0, -4.0, -18.0], [-1.0, 5.0, -3.0], [-4.0, 25.0, 2.0]]> : tensor<5x3xf32>
  check.expect_eq %c4, %e4 : tensor<5x3xf32>
  %c5 = net.matmul %a5, %b5 {transpose_a = true} : (tensor<3x2xf32>, tensor<3x17xf32>) -> tensor<2x17xf32>
  %e5 = net.constant dense<[[-8.0, -6.0, -10.0, 3.0, -8.0, -2.0, 12.0, 5.0, -3.0, -7.0, 10.0, 3.0, 5.0, -12.0, -3.0, 2.0, -6.0], [-6.0, -1.0, -14.0, 1.0, -13.0, -3.0, 9.0, 1.0, -3.0, -12.0, 10.0, 0.0, -1.0, -10.0, -5.0, -3.0, -5.0]]> : tensor<2x17xf32>
  check.expect_eq %c5, %e5 : tensor<2x17xf32>
  return
}
net.entry @train calls @main () {mode = "train", sink_size = 2 : i64, epochs = 1 : i64}
