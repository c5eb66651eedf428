// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// Branches and loops on data inside a step, with state: step by step @count is 1, 2, 3, the branch turns at 2, and the
// loop doubles until it passes the count.

// CHECK: "step": 1, "output": 10, "output1": 2, "expect_eq_0": 0}
// CHECK: "step": 2, "output": -20, "output1": 4, "expect_eq_0": 0}
// CHECK: "step": 3, "output": -30, "output1": 4, "expect_eq_0": 0}

net.parameter @count : tensor<f32> = dense<0.0> : tensor<f32>
net.parameter @row : tensor<1x3xf32> = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>

func.func @main() -> (tensor<f32>, tensor<f32>) {
  %one = net.constant dense<1.0> : tensor<f32>
  %two = net.constant dense<2.0> : tensor<f32>
  %ten = net.constant dense<10.0> : tensor<f32>
  %before = net.read @count : tensor<f32>
  %count = net.add %before, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  net.assign @count, %count : tensor<f32>

  %early = net.less %count, %two : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %c = tensor.extract %early[] : tensor<i1>
  %branch = scf.if %c -> (tensor<f32>) {
    %0 = net.mul %count, %ten : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %0 : tensor<f32>
  } else {
    %0 = net.mul %count, %ten : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = net.neg %0 : tensor<f32>
    scf.yield %1 : tensor<f32>
  }

  // The sum of the row is 6 times the power of two, whatever the number of turns.
  %row = net.read @row : tensor<1x3xf32>
  %power, %scaled = scf.while (%p = %one, %r = %row) : (tensor<f32>, tensor<1x3xf32>) -> (tensor<f32>, tensor<1x3xf32>) {
    %more = net.less_equal %p, %count : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %go = tensor.extract %more[] : tensor<i1>
    scf.condition(%go) %p, %r : tensor<f32>, tensor<1x3xf32>
  } do {
  ^bb0(%p: tensor<f32>, %r: tensor<1x3xf32>):
    %p2 = net.mul %p, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %r2 = net.add %r, %r : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    scf.yield %p2, %r2 : tensor<f32>, tensor<1x3xf32>
  }
  %six = net.constant dense<6.0> : tensor<f32>
  %expected = net.mul %power, %six : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %sum = net.reduce_sum %scaled over [0, 1] : (tensor<1x3xf32>) -> tensor<f32>
  check.expect_eq %sum, %expected : tensor<f32>
  return %branch, %power : tensor<f32>, tensor<f32>
}
net.entry @train calls @main () {mode = "train", sink_size = 3 : i64, epochs = 1 : i64}
