// RUN: plumb-opt --plumb-remove-unreachable-symbols %s | FileCheck %s

// What the entry's cell reaches stays, through members, methods and bodies.
// Parameters stay in any case.

// CHECK-NOT: @other
// CHECK: net.cell @network
// CHECK-NOT: @other
// CHECK: net.cell @child
// CHECK-NOT: @other
// CHECK: net.parameter @unused_parameter
// CHECK: net.python.func @Net.construct
// CHECK: net.python.func @helper
// CHECK-NOT: @other
// CHECK: net.entry @train
net.namespace @other_module {}
net.cell @network class "Net" members {child = @child} methods {construct = @Net.construct}
net.cell @child class "Child" members {} methods {}
net.cell @other_cell class "Net" members {} methods {construct = @Net.construct}
net.parameter @unused_parameter : tensor<4xf32> = dense<0.0> : tensor<4xf32>
net.python.func @Net.construct(self, x) names {f = @other_function} {
  %0 = net.python.constant @helper
}
net.python.func @helper(x) names {} {
}
net.python.func @other_function(x) names {} {
}
net.entry @train calls @network (tensor<4xf32>)
