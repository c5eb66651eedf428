// RUN: plumb-opt --plumb-specialize %s | FileCheck %s

// The whole stage keeps its promise; a program that is typed already passes.

// CHECK-NOT: net.python
// CHECK: net.entry @python calls @python.step
// CHECK: net.entry @typed calls @g
// CHECK: func.func @python.step
// CHECK: func.func private @f
net.python.func @f(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.operator "mul"(%0, %0)
  net.python.return %1
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
net.entry @python calls @f (tensor<4xf32>)
net.entry @typed calls @g (tensor<4xf32>)
