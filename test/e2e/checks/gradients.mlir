// RUN: plumbc %s --compile-from=specialize -o %t.plumb && plumb-run %t.plumb --reports json | FileCheck %s
//
// Gradients in the typed form, first and second order and through a branch and a loop: f(x) = sum(x^3) has 3x^2 and 6x.

// CHECK: "step": 1, "expect_eq_0": 0, "expect_eq_1": 0, "expect_eq_2": 0, "expect_close_3": 0}

net.parameter @x : tensor<5xf32> = dense<[1.0, -2.0, 3.0, 0.0, -5.0]> : tensor<5xf32>
net.parameter @a : tensor<f64> = dense<0.5> : tensor<f64>

func.func private @cubes(%x: tensor<5xf32>) -> tensor<f32> {
  %0 = net.square %x : tensor<5xf32>
  %1 = net.mul %0, %x : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = net.reduce_sum %1 over [0] : (tensor<5xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
func.func private @slope(%x: tensor<5xf32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @cubes(%x) {argnums = [0]} : (tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>)
  %1 = net.reduce_sum %0#1 over [0] : (tensor<5xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// tanh three times, or its negative: the branch goes the way of the sign.
func.func private @looped(%a: tensor<f64>) -> tensor<f64> {
  %zero = net.constant dense<0.0> : tensor<f64>
  %three = net.constant dense<3.0> : tensor<f64>
  %one = net.constant dense<1.0> : tensor<f64>
  %i, %y = scf.while (%i = %zero, %y = %a) : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>) {
    %more = net.less %i, %three : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %go = tensor.extract %more[] : tensor<i1>
    scf.condition(%go) %i, %y : tensor<f64>, tensor<f64>
  } do {
  ^bb0(%i0: tensor<f64>, %y0: tensor<f64>):
    %i1 = net.add %i0, %one : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %y1 = net.tanh %y0 : tensor<f64>
    scf.yield %i1, %y1 : tensor<f64>, tensor<f64>
  }
  %positive = net.greater %y, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %c = tensor.extract %positive[] : tensor<i1>
  %r = scf.if %c -> (tensor<f64>) {
    %n = net.neg %y : tensor<f64>
    scf.yield %n : tensor<f64>
  } else {
    scf.yield %y : tensor<f64>
  }
  return %r : tensor<f64>
}

func.func @main() {
  %x = net.read @x : tensor<5xf32>
  %1:2 = net.value_and_grad @cubes(%x) {argnums = [0]} : (tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>)
  %value = net.constant dense<-105.0> : tensor<f32>
  check.expect_eq %1#0, %value : tensor<f32>
  %first = net.constant dense<[3.0, 12.0, 27.0, 0.0, 75.0]> : tensor<5xf32>
  check.expect_eq %1#1, %first : tensor<5xf32>
  %2:2 = net.value_and_grad @slope(%x) {argnums = [0]} : (tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>)
  %second = net.constant dense<[6.0, -12.0, 18.0, 0.0, -30.0]> : tensor<5xf32>
  check.expect_eq %2#1, %second : tensor<5xf32>
  %a = net.read @a : tensor<f64>
  %3:2 = net.value_and_grad @looped(%a) {argnums = [0]} : (tensor<f64>) -> (tensor<f64>, tensor<f64>)
  %chain = net.constant dense<-0.5339122920544044> : tensor<f64>
  check.expect_close %3#1, %chain {rtol = 1.0e-12 : f64} : tensor<f64>
  return
}
net.entry @train calls @main () {mode = "train", sink_size = 1 : i64, epochs = 1 : i64}
