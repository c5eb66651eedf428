// RUN: plumb-opt %s --split-input-file --plumb-hoist-loop-sums | FileCheck %s

// The sum is used in each step; the number of steps is not known; the factors are larger than the sum; a factor is the
// same in all steps; the product is used twice; all factors would take 160 MB.

// CHECK-LABEL: func.func @used(
// CHECK-NOT:     net.row_update
func.func @used(%h: tensor<1x8xf32>, %init: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<1x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r:2 = scf.for %t = %zero to %n step %one iter_args(%s = %init, %a = %h) -> (tensor<8x8xf32>, tensor<1x8xf32>) {
    %b = net.matmul %a, %s : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
    %p = net.matmul %b, %b {transpose_a = true} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
    %sum = net.add %s, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %sum, %b : tensor<8x8xf32>, tensor<1x8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<1x8xf32>
}

// -----

// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     net.row_update
func.func @unknown(%n: index, %as: tensor<10x1x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %t = %zero to %n step %one iter_args(%s = %init) -> (tensor<8x8xf32>) {
    %a = net.row %as[%t] : (tensor<10x1x8xf32>, index) -> tensor<1x8xf32>
    %p = net.matmul %a, %a {transpose_a = true} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
    %sum = net.add %s, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %sum : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @large(
// CHECK-NOT:     net.row_update
func.func @large(%as: tensor<10x4x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %t = %zero to %n step %one iter_args(%s = %init) -> (tensor<8x8xf32>) {
    %a = net.row %as[%t] : (tensor<10x4x8xf32>, index) -> tensor<4x8xf32>
    %p = net.matmul %a, %a {transpose_a = true} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %sum = net.add %s, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %sum : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @same(
// CHECK-NOT:     net.row_update
func.func @same(%as: tensor<10x1x8xf32>, %b: tensor<1x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %t = %zero to %n step %one iter_args(%s = %init) -> (tensor<8x8xf32>) {
    %a = net.row %as[%t] : (tensor<10x1x8xf32>, index) -> tensor<1x8xf32>
    %p = net.matmul %a, %b {transpose_a = true} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
    %sum = net.add %s, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %sum : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @twice(
// CHECK-NOT:     net.row_update
func.func @twice(%as: tensor<10x1x8xf32>, %init: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r:2 = scf.for %t = %zero to %n step %one iter_args(%s = %init, %last = %init) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %a = net.row %as[%t] : (tensor<10x1x8xf32>, index) -> tensor<1x8xf32>
    %p = net.matmul %a, %a {transpose_a = true} : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
    %sum = net.add %s, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %sum, %p : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @long(
// CHECK-NOT:     net.row_update
func.func @long(%as: tensor<10000x1x2000xf32>, %init: tensor<2000x2000xf32>) -> tensor<2000x2000xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 10000 : index
  %r = scf.for %t = %zero to %n step %one iter_args(%s = %init) -> (tensor<2000x2000xf32>) {
    %a = net.row %as[%t] : (tensor<10000x1x2000xf32>, index) -> tensor<1x2000xf32>
    %p = net.matmul %a, %a {transpose_a = true} : (tensor<1x2000xf32>, tensor<1x2000xf32>) -> tensor<2000x2000xf32>
    %sum = net.add %s, %p : (tensor<2000x2000xf32>, tensor<2000x2000xf32>) -> tensor<2000x2000xf32>
    scf.yield %sum : tensor<2000x2000xf32>
  }
  return %r : tensor<2000x2000xf32>
}
