// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// Products of small whole numbers, exact in f64 whatever the order of summation: odd, unit and prime extents, all
// transposes.

// CHECK: "step": 1, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0}
// CHECK: "step": 2, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0}

net.parameter @a0 : tensor<3x5xf64> = dense<[[-3.0, 3.0, 2.0, 1.0, -2.0], [3.0, -1.0, 3.0, -2.0, -3.0], [2.0, 1.0, -1.0, 3.0, 3.0]]> : tensor<3x5xf64>
net.parameter @b0 : tensor<5x7xf64> = dense<[[-3.0, 1.0, 2.0, 1.0, 1.0, 0.0, 0.0], [-1.0, -2.0, -1.0, 1.0, 3.0, 3.0, -2.0], [-3.0, 3.0, 1.0, 2.0, 2.0, -1.0, 3.0], [1.0, 1.0, -1.0, -1.0, -1.0, 1.0, 0.0], [-3.0, -3.0, -2.0, 0.0, 1.0, 3.0, 2.0]]> : tensor<5x7xf64>
net.parameter @a1 : tensor<1x1xf64> = dense<[[-2.0]]> : tensor<1x1xf64>
net.parameter @b1 : tensor<1x1xf64> = dense<[[0.0]]> : tensor<1x1xf64>
net.parameter @a2 : tensor<5x11xf64> = dense<[[2.0, 3.0, 0.0, 2.0, -2.0, 0.0, 3.0, -1.0, -3.0, 2.0, -1.0], [0.0, 3.0, -1.0, -2.0, -2.0, 2.0, -2.0, 1.0, -2.0, 2.0, 2.0], [1.0, -1.0, -1.0, 3.0, 2.0, -1.0, -3.0, -3.0, 0.0, 0.0, -1.0], [3.0, 0.0, 2.0, -3.0, -1.0, -2.0, -2.0, 0.0, -3.0, -1.0, 1.0], [2.0, 0.0, 1.0, -1.0, 3.0, -2.0, 2.0, -3.0, 1.0, -2.0, -1.0]]> : tensor<5x11xf64>
net.parameter @b2 : tensor<9x11xf64> = dense<[[-1.0, 2.0, 2.0, -2.0, 0.0, -3.0, 3.0, 3.0, -1.0, 0.0, 0.0], [2.0, -3.0, 0.0, 2.0, 1.0, 0.0, -3.0, 3.0, -2.0, -1.0, 1.0], [0.0, 0.0, 1.0, -2.0, -3.0, 3.0, 2.0, -2.0, 1.0, 0.0, 2.0], [-2.0, 1.0, 2.0, 3.0, -2.0, 0.0, -3.0, -3.0, -3.0, 0.0, -2.0], [2.0, -2.0, 1.0, 0.0, -1.0, 0.0, 3.0, 3.0, -2.0, 3.0, -2.0], [2.0, -1.0, 1.0, 1.0, 2.0, -1.0, 3.0, 3.0, -3.0, -3.0, -3.0], [1.0, -1.0, -2.0, -3.0, 3.0, 1.0, -3.0, -2.0, 1.0, -2.0, 2.0], [-1.0, 1.0, -3.0, 2.0, 2.0, 0.0, 1.0, -3.0, 1.0, 0.0, -3.0], [-3.0, 0.0, 2.0, 1.0, -2.0, -2.0, -2.0, -1.0, -3.0, -3.0, -1.0]]> : tensor<9x11xf64>
func.func @main() {
  %a0 = net.read @a0 : tensor<3x5xf64>
  %b0 = net.read @b0 : tensor<5x7xf64>
  %a1 = net.read @a1 : tensor<1x1xf64>
  %b1 = net.read @b1 : tensor<1x1xf64>
  %a2 = net.read @a2 : tensor<5x11xf64>
  %b2 = net.read @b2 : tensor<9x11xf64>
  %c0 = net.matmul %a0, %b0 : (tensor<3x5xf64>, tensor<5x7xf64>) -> tensor<3x7xf64>
  %e0 = net.constant dense<[[7.0, 4.0, -4.0, 3.0, 7.0, 2.0, -4.0], [-10.0, 21.0, 18.0, 10.0, 5.0, -17.0, 5.0], [-10.0, -9.0, -7.0, -2.0, 3.0, 16.0, 1.0]]> : tensor<3x7xf64>
  check.expect_eq %c0, %e0 : tensor<3x7xf64>
  %c1 = net.matmul %a1, %b1 {transpose_a = true, transpose_b = true} : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
  %e1 = net.constant dense<[[0.0]]> : tensor<1x1xf64>
  check.expect_eq %c1, %e1 : tensor<1x1xf64>
  %c2 = net.matmul %a2, %b2 {transpose_b = true} : (tensor<5x11xf64>, tensor<9x11xf64>) -> tensor<5x9xf64>
  %e2 = net.constant dense<[[9.0, -12.0, 5.0, 14.0, 20.0, 11.0, -29.0, 7.0, -1.0], [1.0, -2.0, 11.0, 4.0, -2.0, -21.0, 3.0, -15.0, -3.0], [-26.0, 12.0, -18.0, 20.0, -15.0, -5.0, 13.0, 20.0, 6.0], [10.0, 13.0, 0.0, 4.0, 4.0, 8.0, 10.0, -25.0, 13.0], [4.0, -11.0, -3.0, -9.0, -7.0, 15.0, 13.0, 14.0, -4.0]]> : tensor<5x9xf64>
  check.expect_eq %c2, %e2 : tensor<5x9xf64>
  return
}
net.entry @train calls @main () {mode = "train", sink_size = 2 : i64, epochs = 1 : i64}
