// RUN: plumb-opt --plumb-resolve %s | FileCheck %s

// The whole stage keeps its promise on a program with a global, a module, a
// cell and a library function that nothing calls.

// CHECK-NOT: @unused
// CHECK-LABEL: net.python.func @Net.construct
// CHECK-NEXT: net.python.constant #net.primitive<"relu">
// CHECK-NEXT: net.python.load "x"
// CHECK-NEXT: net.python.call
// CHECK-NEXT: net.python.return
// CHECK-NOT: @unused
net.namespace @ops {relu = #net.primitive<"relu">}
net.cell @network class "Net" members {} methods {construct = @Net.construct}
net.python.func @Net.construct(self, x) names {ops = @ops} {
  %0 = net.python.load "ops"
  %1 = net.python.getattr %0, "relu"
  %2 = net.python.load "x"
  %3 = net.python.call %1(%2)
  net.python.return %3
}
net.python.func @unused() names {} {
}
net.entry @train calls @network (tensor<4xf32>)
