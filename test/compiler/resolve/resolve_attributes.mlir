// RUN: plumb-opt --plumb-resolve-attributes %s | FileCheck %s

net.namespace @pkg {ops = @pkg.ops}
net.namespace @pkg.ops {reshape = #net.primitive<"reshape">}
net.cell @network class "Net" members {fc = @fc, rate = 0.5 : f64} methods {construct = @f}
net.cell @fc class "Dense" members {weight = @w} methods {}
net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>

// CHECK-LABEL: net.python.func @f
net.python.func @f(self) names {} {
  // CHECK-NEXT: net.python.constant #net.primitive<"reshape">
  %0 = net.python.constant @pkg
  %1 = net.python.getattr %0, "ops"
  %2 = net.python.getattr %1, "reshape"
  // CHECK-NEXT: net.python.constant @w
  %3 = net.python.constant @network
  %4 = net.python.getattr %3, "fc"
  %5 = net.python.getattr %4, "weight"
  // CHECK-NEXT: net.python.constant #net.method<@f, self = @network>
  %6 = net.python.constant @network
  %7 = net.python.getattr %6, "construct"
  // What self is depends on the call; a missing member may be guarded.
  // CHECK-NEXT: %[[SELF:.*]] = net.python.load "self"
  // CHECK-NEXT: net.python.getattr %[[SELF]], "rate"
  %8 = net.python.load "self"
  %9 = net.python.getattr %8, "rate"
  // CHECK-NEXT: net.python.constant @network
  // CHECK-NEXT: net.python.getattr %{{.*}}, "bias"
  %10 = net.python.constant @network
  %11 = net.python.getattr %10, "bias"
}
