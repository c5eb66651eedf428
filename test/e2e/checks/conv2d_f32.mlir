// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// Convolutions and both adjoints on small whole numbers, exact whatever the order of summation: strides, uneven padding,
// dilation, groups.

// CHECK: "step": 1, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_eq_3": 0, "expect_eq_4": 0, "expect_eq_5": 0, "expect_eq_6": 0, "expect_eq_7": 0, "expect_eq_8": 0}
// CHECK: "step": 2, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_eq_3": 0, "expect_eq_4": 0, "expect_eq_5": 0, "expect_eq_6": 0, "expect_eq_7": 0, "expect_eq_8": 0}

net.parameter @x0 : tensor<1x1x5x5xf32> = dense<[[[[-3.0, -2.0, -2.0, -1.0, -1.0], [-3.0, 0.0, 3.0, 3.0, -3.0], [-1.0, 1.0, -3.0, 1.0, 2.0], [2.0, -3.0, -2.0, -3.0, 0.0], [3.0, 2.0, 2.0, 2.0, -1.0]]]]> : tensor<1x1x5x5xf32>
net.parameter @w0 : tensor<1x1x3x3xf32> = dense<[[[[3.0, -3.0, -3.0], [-1.0, 0.0, -1.0], [0.0, 3.0, 0.0]]]]> : tensor<1x1x3x3xf32>
net.parameter @d0 : tensor<1x1x3x3xf32> = dense<[[[[-1.0, 1.0, -3.0], [3.0, 3.0, -3.0], [1.0, 3.0, -3.0]]]]> : tensor<1x1x3x3xf32>
net.parameter @x1 : tensor<1x2x5x7xf32> = dense<[[[[-2.0, -3.0, 3.0, 0.0, 3.0, -3.0, 1.0], [1.0, 0.0, 1.0, -3.0, -3.0, 1.0, 2.0], [3.0, 2.0, 0.0, 3.0, -3.0, 1.0, 0.0], [1.0, 3.0, -2.0, 2.0, -3.0, 0.0, -3.0], [-2.0, 3.0, -1.0, 1.0, 3.0, 3.0, -3.0]], [[-1.0, 3.0, 2.0, -1.0, -3.0, 1.0, -2.0], [3.0, -2.0, 0.0, 0.0, 0.0, 0.0, 2.0], [0.0, -1.0, -1.0, 2.0, 1.0, 0.0, 3.0], [-2.0, 0.0, 3.0, 2.0, 1.0, -3.0, 0.0], [-1.0, 3.0, 0.0, 1.0, 1.0, -1.0, -2.0]]]]> : tensor<1x2x5x7xf32>
net.parameter @w1 : tensor<3x2x3x2xf32> = dense<[[[[0.0, -1.0], [2.0, 3.0], [0.0, 1.0]], [[-2.0, 1.0], [-2.0, -3.0], [-2.0, -3.0]]], [[[3.0, -2.0], [3.0, -3.0], [1.0, 3.0]], [[-3.0, -3.0], [-2.0, -1.0], [0.0, -3.0]]], [[[-3.0, 1.0], [-3.0, -3.0], [-1.0, -3.0]], [[-2.0, -3.0], [0.0, -2.0], [2.0, 1.0]]]]> : tensor<3x2x3x2xf32>
net.parameter @d1 : tensor<1x3x2x7xf32> = dense<[[[[-1.0, 2.0, -2.0, -2.0, -3.0, -2.0, -1.0], [2.0, -1.0, 2.0, 2.0, -3.0, 2.0, 2.0]], [[-1.0, 2.0, 2.0, -2.0, -2.0, 1.0, -1.0], [-2.0, 3.0, -2.0, -2.0, 0.0, -1.0, 0.0]], [[-1.0, 0.0, 0.0, 0.0, 3.0, -2.0, -1.0], [2.0, 3.0, -2.0, 3.0, 3.0, -2.0, 0.0]]]]> : tensor<1x3x2x7xf32>
net.parameter @x2 : tensor<1x4x3x3xf32> = dense<[[[[1.0, -1.0, -2.0], [-2.0, 0.0, 0.0], [2.0, -1.0, 0.0]], [[1.0, 2.0, 0.0], [-2.0, -3.0, 0.0], [2.0, 1.0, -3.0]], [[-3.0, 2.0, -1.0], [2.0, -2.0, 3.0], [-2.0, 1.0, 0.0]], [[-2.0, -1.0, 0.0], [-2.0, 0.0, -3.0], [1.0, 3.0, -1.0]]]]> : tensor<1x4x3x3xf32>
net.parameter @w2 : tensor<2x2x1x1xf32> = dense<[[[[0.0]], [[1.0]]], [[[3.0]], [[-2.0]]]]> : tensor<2x2x1x1xf32>
net.parameter @d2 : tensor<1x2x3x3xf32> = dense<[[[[-2.0, -1.0, 3.0], [0.0, -3.0, -1.0], [3.0, -3.0, -2.0]], [[3.0, -3.0, 1.0], [0.0, 2.0, 3.0], [-1.0, -1.0, 3.0]]]]> : tensor<1x2x3x3xf32>
func.func @main() {
  %x0 = net.read @x0 : tensor<1x1x5x5xf32>
  %w0 = net.read @w0 : tensor<1x1x3x3xf32>
  %d0 = net.read @d0 : tensor<1x1x3x3xf32>
  %x1 = net.read @x1 : tensor<1x2x5x7xf32>
  %w1 = net.read @w1 : tensor<3x2x3x2xf32>
  %d1 = net.read @d1 : tensor<1x3x2x7xf32>
  %x2 = net.read @x2 : tensor<1x4x3x3xf32>
  %w2 = net.read @w2 : tensor<2x2x1x1xf32>
  %d2 = net.read @d2 : tensor<1x2x3x3xf32>
  %y0 = net.conv2d %x0, %w0 stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %e0 = net.constant dense<[[[[6.0, -9.0, 3.0], [-23.0, -26.0, 1.0], [9.0, 21.0, -10.0]]]]> : tensor<1x1x3x3xf32>
  check.expect_eq %y0, %e0 : tensor<1x1x3x3xf32>
  %dx0 = net.conv2d_input_grad %d0, %w0 of [1, 1, 5, 5] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x1x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x5x5xf32>
  %ex0 = net.constant dense<[[[[-3.0, 6.0, -9.0, 6.0, 9.0], [10.0, -1.0, -23.0, -1.0, 12.0], [0.0, 0.0, -18.0, -12.0, 12.0], [-1.0, 6.0, 11.0, -12.0, 3.0], [0.0, 3.0, 9.0, -9.0, 0.0]]]]> : tensor<1x1x5x5xf32>
  check.expect_eq %dx0, %ex0 : tensor<1x1x5x5xf32>
  %dw0 = net.conv2d_weight_grad %x0, %d0 of [1, 1, 3, 3] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
  %ew0 = net.constant dense<[[[[0.0, -8.0, 25.0], [2.0, -15.0, -14.0], [17.0, -11.0, -6.0]]]]> : tensor<1x1x3x3xf32>
  check.expect_eq %dw0, %ew0 : tensor<1x1x3x3xf32>
  %y1 = net.conv2d %x1, %w1 stride [2, 1] pad [1, 0, 1, 1] dilation [1, 2] group 1 : (tensor<1x2x5x7xf32>, tensor<3x2x3x2xf32>) -> tensor<1x3x2x7xf32>
  %e1 = net.constant dense<[[[[-12.0, -4.0, -8.0, 17.0, -9.0, 17.0, -8.0], [10.0, -5.0, 12.0, -19.0, 9.0, -22.0, 8.0]], [[12.0, -11.0, -23.0, -9.0, 10.0, 11.0, -10.0], [10.0, -12.0, 12.0, 5.0, 2.0, -45.0, 6.0]], [[1.0, -5.0, 16.0, -4.0, 7.0, -9.0, 8.0], [-7.0, -11.0, -25.0, 19.0, -3.0, 22.0, -12.0]]]]> : tensor<1x3x2x7xf32>
  check.expect_eq %y1, %e1 : tensor<1x3x2x7xf32>
  %dx1 = net.conv2d_input_grad %d1, %w1 of [1, 2, 5, 7] stride [2, 1] pad [1, 0, 1, 1] dilation [1, 2] group 1 : (tensor<1x3x2x7xf32>, tensor<3x2x3x2xf32>) -> tensor<1x2x5x7xf32>
  %ex1 = net.constant dense<[[[[10.0, 5.0, -10.0, -33.0, 5.0, -14.0, -3.0], [2.0, 5.0, -11.0, -10.0, 3.0, -12.0, 5.0], [-2.0, 10.0, -32.0, 3.0, 10.0, -14.0, 15.0], [0.0, -10.0, -6.0, -1.0, -12.0, -12.0, 5.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [[-8.0, 6.0, 0.0, 14.0, 10.0, 9.0, 9.0], [-17.0, 17.0, -31.0, 26.0, 14.0, 2.0, 12.0], [-4.0, -8.0, -6.0, 6.0, -12.0, -1.0, -1.0], [8.0, -6.0, -1.0, 10.0, -5.0, 8.0, -5.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x2x5x7xf32>
  check.expect_eq %dx1, %ex1 : tensor<1x2x5x7xf32>
  %dw1 = net.conv2d_weight_grad %x1, %d1 of [3, 2, 3, 2] stride [2, 1] pad [1, 0, 1, 1] dilation [1, 2] group 1 : (tensor<1x2x5x7xf32>, tensor<1x3x2x7xf32>) -> tensor<3x2x3x2xf32>
  %ew1 = net.constant dense<[[[[6.0, -12.0], [-19.0, 11.0], [3.0, 7.0]], [[-7.0, 0.0], [-12.0, 21.0], [8.0, 10.0]]], [[[4.0, 13.0], [-2.0, 6.0], [6.0, -5.0]], [[13.0, 2.0], [1.0, -9.0], [-11.0, 7.0]]], [[[3.0, -1.0], [17.0, -16.0], [-1.0, -8.0]], [[13.0, -8.0], [5.0, -8.0], [7.0, -3.0]]]]> : tensor<3x2x3x2xf32>
  check.expect_eq %dw1, %ew1 : tensor<3x2x3x2xf32>
  %y2 = net.conv2d %x2, %w2 stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 2 : (tensor<1x4x3x3xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %e2 = net.constant dense<[[[[1.0, 2.0, 0.0], [-2.0, -3.0, 0.0], [2.0, 1.0, -3.0]], [[-5.0, 8.0, -3.0], [10.0, -6.0, 15.0], [-8.0, -3.0, 2.0]]]]> : tensor<1x2x3x3xf32>
  check.expect_eq %y2, %e2 : tensor<1x2x3x3xf32>
  %dx2 = net.conv2d_input_grad %d2, %w2 of [1, 4, 3, 3] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 2 : (tensor<1x2x3x3xf32>, tensor<2x2x1x1xf32>) -> tensor<1x4x3x3xf32>
  %ex2 = net.constant dense<[[[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[-2.0, -1.0, 3.0], [0.0, -3.0, -1.0], [3.0, -3.0, -2.0]], [[9.0, -9.0, 3.0], [0.0, 6.0, 9.0], [-3.0, -3.0, 9.0]], [[-6.0, 6.0, -2.0], [0.0, -4.0, -6.0], [2.0, 2.0, -6.0]]]]> : tensor<1x4x3x3xf32>
  check.expect_eq %dx2, %ex2 : tensor<1x4x3x3xf32>
  %dw2 = net.conv2d_weight_grad %x2, %d2 of [2, 2, 1, 1] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 2 : (tensor<1x4x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<2x2x1x1xf32>
  %ew2 = net.constant dense<[[[[2.0]], [[14.0]]], [[[-10.0]], [[-19.0]]]]> : tensor<2x2x1x1xf32>
  check.expect_eq %dw2, %ew2 : tensor<2x2x1x1xf32>
  return
}
net.entry @train calls @main () {mode = "train", sink_size = 2 : i64, epochs = 1 : i64}
