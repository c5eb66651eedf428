// RUN: plumb-opt %s --plumb-hoist-loop-writes | FileCheck %s

// A loop that calls a function with effects keeps its writes.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

func.func private @elsewhere(!net.u) -> !net.u

// CHECK-LABEL: func.func private @calls(
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      net.assign @w
func.func private @calls(%x: tensor<f32>, %a: index, %u0: !net.u) -> !net.u {
  %r = scf.for %i = %a to %a step %a iter_args(%u = %u0) -> !net.u {
    %u1 = net.assign @w, %x after %u : tensor<f32>
    %u2 = func.call @elsewhere(%u1) : (!net.u) -> !net.u
    scf.yield %u2 : !net.u
  }
  return %r : !net.u
}

func.func @step(%x: tensor<f32>, %a: index, %u: !net.u) -> !net.u {
  %0 = net.value_and_grad @calls(%x, %a, %u) : (tensor<f32>, index, !net.u) -> !net.u
  return %0 : !net.u
}
