// RUN: plumb-opt %s --plumb-hoist-row-updates | FileCheck %s

// Two different tensors, and one that the branch makes itself.

// CHECK-LABEL: func.func @others(
// CHECK:         scf.if %{{.*}} -> (tensor<100x8xf32>, tensor<100x8xf32>) {
// CHECK-NOT:     net.row {{.*}}
func.func @others(%c: i1, %x: tensor<100x8xf32>, %z: tensor<100x8xf32>, %r: tensor<8xf32>, %i: index) -> (tensor<100x8xf32>, tensor<100x8xf32>) {
  %y:2 = scf.if %c -> (tensor<100x8xf32>, tensor<100x8xf32>) {
    %0 = net.row_update %r into %x[%i] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
    %e = net.exp %x : tensor<100x8xf32>
    %1 = net.row_update %r into %e[%i] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
    scf.yield %0, %1 : tensor<100x8xf32>, tensor<100x8xf32>
  } else {
    scf.yield %z, %x : tensor<100x8xf32>, tensor<100x8xf32>
  }
  return %y#0, %y#1 : tensor<100x8xf32>, tensor<100x8xf32>
}
