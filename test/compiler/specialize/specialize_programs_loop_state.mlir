// RUN: plumb-opt %s --split-input-file --plumb-specialize-programs --plumb-remove-python-level --verify-diagnostics | FileCheck %s

// A loop carries what it changes in a list, which stays the same object under both names; the other element is read as
// it was before the loop.

// CHECK-LABEL: func.func private @changes{{.*}}(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[N:.*]]: tensor<i64>)
// CHECK:         %[[W:.*]]:3 = scf.while (%[[A:.*]] = %[[N]], %[[B:.*]] = %[[X]], %{{.*}} = %[[N]])
// CHECK:           scf.condition(%{{.*}}) %[[A]], %[[B]], %[[N]]
// CHECK:           %[[SUM:.*]] = net.add %{{.*}}, %[[X]]
// CHECK:           %[[LESS:.*]] = net.sub
// CHECK:           scf.yield %[[LESS]], %[[SUM]], %[[N]]
// CHECK:         return %[[W]]#1
net.python.func @changes(x, n) names {} {
  %0 = net.python.load "x"
  %1 = net.python.load "n"
  %2 = net.python.constant #net.primitive<"builtins.make_list">
  %3 = net.python.call %2(%0, %1)
  net.python.store "items", %3
  net.python.store "alias", %3
  net.python.while {
    %4 = net.python.load "n"
    %5 = net.python.constant 0 : i64
    %6 = net.python.operator "gt"(%4, %5)
    net.python.condition %6
  } do {
    %4 = net.python.load "items"
    %5 = net.python.constant 0 : i64
    %6 = net.python.subscript %4[%5]
    %7 = net.python.load "x"
    %8 = net.python.operator "add"(%6, %7)
    %9 = net.python.load "alias"
    %10 = net.python.setitem %9[%5], %8
    net.python.store "alias", %10
    %11 = net.python.load "n"
    %12 = net.python.constant 1 : i64
    %13 = net.python.operator "sub"(%11, %12)
    net.python.store "n", %13
  }
  %4 = net.python.load "items"
  %5 = net.python.constant 0 : i64
  %6 = net.python.subscript %4[%5]
  net.python.return %6
}
net.entry @train calls @changes (tensor<f32>, tensor<i64>)

// -----

// A name that the condition makes: the body and what follows the loop see it.

// CHECK-LABEL: func.func private @makes
// CHECK:         %[[ZERO:.*]] = net.constant dense<0.000000e+00> : tensor<f32>
// CHECK:         %[[W:.*]]:2 = scf.while (%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %[[ZERO]])
// CHECK:           %[[NEW:.*]] = net.sub %[[X]]
// CHECK:           scf.condition(%{{.*}}) %[[X]], %[[NEW]]
// CHECK:         } do {
// CHECK:         ^bb0(%{{.*}}: tensor<f32>, %[[MADE:.*]]: tensor<f32>):
// CHECK:           %[[SQUARE:.*]] = net.mul %[[MADE]], %[[MADE]]
// CHECK:           scf.yield %[[SQUARE]], %[[MADE]]
// CHECK:         return %[[W]]#1
net.python.func @makes(x) names {} {
  net.python.while {
    %0 = net.python.load "x"
    %1 = net.python.constant 1 : i64
    %2 = net.python.operator "sub"(%0, %1)
    net.python.store "y", %2
    %3 = net.python.constant 0 : i64
    %4 = net.python.operator "gt"(%2, %3)
    net.python.condition %4
  } do {
    %5 = net.python.load "y"
    %6 = net.python.operator "mul"(%5, %5)
    net.python.store "x", %6
  }
  %8 = net.python.load "y"
  net.python.return %8
}
net.entry @train calls @makes (tensor<f32>)

// -----

// A list that grows has no form in a loop whose end a tensor decides.

net.python.func @grows(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant #net.primitive<"builtins.make_list">
  %2 = net.python.call %1(%0)
  net.python.store "items", %2
  net.python.while {
    %4 = net.python.load "x"
    net.python.condition %4
  } do {
    %5 = net.python.load "items"
    %6 = net.python.getattr %5, "append"
    %7 = net.python.load "x"
    // expected-error @+1 {{RuntimeError: a list has 2 elements instead of 1 after an iteration of a loop}}
    %8 = net.python.call %6(%7)
  }
  %4 = net.python.load "items"
  net.python.return %4
}
net.entry @train calls @grows (tensor<f32>)
