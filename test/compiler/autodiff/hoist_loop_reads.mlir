// RUN: plumb-opt %s --plumb-hoist-loop-reads | FileCheck %s

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @reads(
// CHECK-SAME:    %{{.*}}, %[[U:.*]]: !net.u)
// CHECK:         %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[UI:.*]] = %[[U1]])
// CHECK:           %[[Y:.*]] = net.mul %[[X]], %[[W]]
// CHECK:           scf.yield %[[Y]], %[[UI]]
// CHECK:         return %{{.*}}, %[[U1]]
func.func @reads(%x0: tensor<f32>, %a: index, %b: index, %c: index, %u0: !net.u) -> (tensor<f32>, !net.u) {
  %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %x0, %u = %u0) -> (tensor<f32>, !net.u) {
    %w, %u1 = net.read @w after %u : tensor<f32>
    %y = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %y, %u1 : tensor<f32>, !net.u
  }
  return %r#0, %r#1 : tensor<f32>, !net.u
}
