// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// f16 and bf16 on values that both hold exactly; then the rounding that tells them apart: 1 + 2^-9 is a number of f16 and
// 1 in bf16.

// CHECK: "step": 1, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_eq_3": 0, "expect_eq_4": 0, "expect_eq_5": 0}

net.parameter @x : tensor<3x5xf16> = dense<[[1.0, -2.0, 3.0, 0.5, 4.0], [0.0, 1.5, -1.0, 2.0, 2.0], [8.0, 1.0, 1.0, 1.0, -3.0]]> : tensor<3x5xf16>
net.parameter @y : tensor<3x5xbf16> = dense<[[1.0, -2.0, 3.0, 0.5, 4.0], [0.0, 1.5, -1.0, 2.0, 2.0], [8.0, 1.0, 1.0, 1.0, -3.0]]> : tensor<3x5xbf16>
net.parameter @z : tensor<3xf32> = dense<[1.001953125, 3.0, -0.25]> : tensor<3xf32>

func.func @main() {
  %x = net.read @x : tensor<3x5xf16>
  %xs = net.reduce_sum %x over [1] : (tensor<3x5xf16>) -> tensor<3xf16>
  %exs = net.constant dense<[6.5, 4.5, 8.0]> : tensor<3xf16>
  check.expect_eq %xs, %exs : tensor<3xf16>
  %xx = net.matmul %x, %x {transpose_b = true} : (tensor<3x5xf16>, tensor<3x5xf16>) -> tensor<3x3xf16>
  %exx = net.constant dense<[[30.25, 3.0, -2.5], [3.0, 11.25, -3.5], [-2.5, -3.5, 76.0]]> : tensor<3x3xf16>
  check.expect_eq %xx, %exx : tensor<3x3xf16>
  %y = net.read @y : tensor<3x5xbf16>
  %ys = net.reduce_max %y over [0] : (tensor<3x5xbf16>) -> tensor<5xbf16>
  %eys = net.constant dense<[8.0, 1.5, 3.0, 2.0, 4.0]> : tensor<5xbf16>
  check.expect_eq %ys, %eys : tensor<5xbf16>
  %yy = net.matmul %y, %y {transpose_b = true} : (tensor<3x5xbf16>, tensor<3x5xbf16>) -> tensor<3x3xbf16>
  %eyy = net.constant dense<[[30.25, 3.0, -2.5], [3.0, 11.25, -3.5], [-2.5, -3.5, 76.0]]> : tensor<3x3xbf16>
  check.expect_eq %yy, %eyy : tensor<3x3xbf16>
  %z = net.read @z : tensor<3xf32>
  %h = net.cast %z to f16 : (tensor<3xf32>) -> tensor<3xf16>
  %hz = net.cast %h to f32 : (tensor<3xf16>) -> tensor<3xf32>
  check.expect_eq %hz, %z : tensor<3xf32>
  %b = net.cast %z to bf16 : (tensor<3xf32>) -> tensor<3xbf16>
  %bz = net.cast %b to f32 : (tensor<3xbf16>) -> tensor<3xf32>
  %ebz = net.constant dense<[1.0, 3.0, -0.25]> : tensor<3xf32>
  check.expect_eq %bz, %ebz : tensor<3xf32>
  return
}
net.entry @train calls @main () {mode = "train", sink_size = 1 : i64, epochs = 1 : i64}
