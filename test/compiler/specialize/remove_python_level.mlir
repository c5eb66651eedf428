// RUN: plumb-opt --plumb-remove-python-level %s | FileCheck %s

// CHECK-NOT: net.cell
// CHECK-NOT: net.namespace
// CHECK-NOT: net.python
// CHECK: net.parameter @w
// CHECK: func.func @train.step
// CHECK: net.entry @train calls @train.step
net.namespace @ops {}
net.cell @network class "Net" members {w = @w} methods {construct = @f}
net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>
net.python.func @f(self, x) names {} {
}
func.func @train.step(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
net.entry @train calls @train.step (tensor<4xf32>)
