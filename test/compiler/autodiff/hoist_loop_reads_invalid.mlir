// RUN: plumb-opt %s --plumb-hoist-loop-reads | FileCheck %s

// A loop that writes keeps its reads.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @writes(
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      net.read @w
func.func @writes(%a: index, %b: index, %c: index, %u0: !net.u) -> !net.u {
  %r = scf.for %i = %a to %b step %c iter_args(%u = %u0) -> (!net.u) {
    %w, %u1 = net.read @w after %u : tensor<f32>
    %y = net.exp %w : tensor<f32>
    %u2 = net.assign @w, %y after %u1 : tensor<f32>
    scf.yield %u2 : !net.u
  }
  return %r : !net.u
}
