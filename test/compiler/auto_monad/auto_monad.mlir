// RUN: plumb-opt %s --plumb-auto-monad | FileCheck %s

// The stage alone: a layer used twice reads its weight once.

net.parameter @w : tensor<4xf32> = dense<1.0> : tensor<4xf32>
net.entry @train calls @step (tensor<4xf32>) {mode = "train"}

// CHECK-LABEL: func.func private @layer(
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %{{.*}}: !net.u) -> (tensor<4xf32>, !net.u)
// CHECK-COUNT-1: net.read @w after
// CHECK-NOT:     net.read
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = net.read @w : tensor<4xf32>
  %y = net.mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %v = net.read @w : tensor<4xf32>
  %z = net.add %y, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func.func @step(
// CHECK:         %[[U:.*]] = net.token : !net.u
// CHECK:         %[[R:.*]]:2 = call @layer(%{{.*}}, %[[U]])
// CHECK:         %[[U1:.*]] = net.assign @w, %[[R]]#0 after %[[R]]#1
// CHECK:         return %[[R]]#0, %[[U1]]
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  net.assign @w, %y : tensor<4xf32>
  return %y : tensor<4xf32>
}
