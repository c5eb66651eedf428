// RUN: plumb-opt %s -canonicalize -cse | FileCheck %s
//
// Without tokens program order counts: a read before and one after a write are two reads.

net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>

// CHECK-LABEL: func.func @write_between(
func.func @write_between(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.read @w
  // CHECK: net.assign @w
  // CHECK: net.read @w
  %a = net.read @w : tensor<4xf32>
  net.assign @w, %x : tensor<4xf32>
  %b = net.read @w : tensor<4xf32>
  %s = net.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// With a token a read that nothing uses may go.
// CHECK-LABEL: func.func @dead_read(
func.func @dead_read(%u: !net.u) -> !net.u {
  // CHECK-NEXT: return
  %v, %u1 = net.read @w after %u : tensor<4xf32>
  return %u : !net.u
}

// CHECK-LABEL: func.func @depend_on_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
func.func @depend_on_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[X]]
  %r = net.depend %x : tensor<4xf32>
  return %r : tensor<4xf32>
}
