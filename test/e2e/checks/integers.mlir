// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// Whole numbers: quotients to zero and downwards, division and remainder by zero (0, as in NumPy) and of the smallest number by -1
// (which wraps), neither of which may stop the program; order, casts, sums, gathers.

// CHECK: "step": 1, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_eq_3": 0, "expect_eq_4": 0, "expect_eq_5": 0, "expect_eq_6": 0, "expect_eq_7": 0}

net.parameter @x : tensor<7xi32> = dense<[7, -7, 7, -7, 5, -2147483648, 0]> : tensor<7xi32>
net.parameter @y : tensor<7xi32> = dense<[2, 2, -2, -2, 0, -1, 3]> : tensor<7xi32>
net.parameter @n : tensor<3x5xi64> = dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, -15]]> : tensor<3x5xi64>
net.parameter @row : tensor<2xi32> = dense<[2, 0]> : tensor<2xi32>

func.func @main() {
  %x = net.read @x : tensor<7xi32>
  %y = net.read @y : tensor<7xi32>
  %q = net.div %x, %y : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  %eq = net.constant dense<[3, -3, -3, 3, 0, -2147483648, 0]> : tensor<7xi32>
  check.expect_eq %q, %eq : tensor<7xi32>
  %f = net.floor_div %x, %y : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  %ef = net.constant dense<[3, -4, -4, 3, 0, -2147483648, 0]> : tensor<7xi32>
  check.expect_eq %f, %ef : tensor<7xi32>
  %m = net.mod %x, %y : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  %em = net.constant dense<[1, 1, -1, -1, 0, 0, 0]> : tensor<7xi32>
  check.expect_eq %m, %em : tensor<7xi32>
  %l = net.less %x, %y : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %el = net.constant dense<[false, true, false, true, false, true, true]> : tensor<7xi1>
  check.expect_eq %l, %el : tensor<7xi1>
  %n = net.read @n : tensor<3x5xi64>
  %s = net.reduce_sum %n over [0] : (tensor<3x5xi64>) -> tensor<5xi64>
  %es = net.constant dense<[18, 21, 24, 27, 0]> : tensor<5xi64>
  check.expect_eq %s, %es : tensor<5xi64>
  %max = net.reduce_max %n over [1] : (tensor<3x5xi64>) -> tensor<3xi64>
  %emax = net.constant dense<[5, 10, 14]> : tensor<3xi64>
  check.expect_eq %max, %emax : tensor<3xi64>
  %c = net.cast %x to i64 : (tensor<7xi32>) -> tensor<7xi64>
  %ec = net.constant dense<[7, -7, 7, -7, 5, -2147483648, 0]> : tensor<7xi64>
  check.expect_eq %c, %ec : tensor<7xi64>
  %row = net.read @row : tensor<2xi32>
  %g = net.gather %n, %row axis 0 : (tensor<3x5xi64>, tensor<2xi32>) -> tensor<2x5xi64>
  %eg = net.constant dense<[[11, 12, 13, 14, -15], [1, 2, 3, 4, 5]]> : tensor<2x5xi64>
  check.expect_eq %g, %eg : tensor<2x5xi64>
  return
}
net.entry @train calls @main () {mode = "train", sink_size = 1 : i64, epochs = 1 : i64}
