// RUN: plumb-opt %s --plumb-verify-state-tokens | FileCheck %s

// Both branches may start from the token around them, and net.depend only looks.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @chain(
func.func @chain(%c: i1, %x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %r = scf.if %c -> (!net.u) {
    %u1 = net.assign @w, %x after %u : tensor<f32>
    scf.yield %u1 : !net.u
  } else {
    scf.yield %u : !net.u
  }
  %y = net.depend %x, %r : tensor<f32>, !net.u
  %w, %u2 = net.read @w after %r : tensor<f32>
  return %y, %u2 : tensor<f32>, !net.u
}
