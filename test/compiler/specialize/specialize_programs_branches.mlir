// RUN: plumb-opt --plumb-specialize-programs --split-input-file %s | FileCheck %s

// A branch on a tensor: what both arms assign becomes a result of scf.if; a
// name that is the same on both sides, or constant, stays as it is.

// CHECK-LABEL: func.func private @joined
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[S:.*]] = net.reduce_sum %[[X]]
// CHECK:         %[[P:.*]] = net.greater %[[S]]
// CHECK:         %[[C:.*]] = tensor.extract %[[P]][] : tensor<i1>
// CHECK:         %[[R:.*]] = scf.if %[[C]] -> (tensor<4xf32>) {
// CHECK-NEXT:      %[[A:.*]] = net.exp %[[X]]
// CHECK-NEXT:      scf.yield %[[A]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[X]]
// CHECK:         %[[TWO:.*]] = net.constant dense<2.000000e+00> : tensor<f32>
// CHECK:         net.mul %[[R]], %[[TWO]]
net.python.func @joined(x) names {} {
  %x = net.python.load "x"
  %two = net.python.constant 2.0 : f64
  net.python.store "y", %x
  net.python.store "scale", %two
  %0 = net.python.getattr %x, "sum"
  %1 = net.python.call %0()
  %2 = net.python.constant 0 : i64
  %3 = net.python.operator "gt"(%1, %2)
  net.python.if %3 {
    %4 = net.python.constant #net.primitive<"exp">
    %5 = net.python.call %4(%x)
    net.python.store "y", %5
    net.python.store "scale", %two
  }
  %6 = net.python.load "y"
  %7 = net.python.load "scale"
  %8 = net.python.operator "mul"(%6, %7)
  net.python.return %8
}
net.entry @train calls @joined (tensor<4xf32>)

// -----

// An early return runs what follows in the other arm; numbers become tensors.

// CHECK-LABEL: func.func private @early
// CHECK:         %[[R:.*]] = scf.if %{{.*}} -> (tensor<f32>) {
// CHECK-NEXT:      %[[ONE:.*]] = net.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:      scf.yield %[[ONE]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[E:.*]] = net.exp
// CHECK-NEXT:      scf.yield %[[E]]
// CHECK:         return %[[R]]
net.python.func @early(x) names {} {
  %x = net.python.load "x"
  %0 = net.python.constant 0.0 : f64
  %1 = net.python.operator "lt"(%x, %0)
  net.python.if %1 {
    %2 = net.python.constant 1 : i64
    net.python.return %2
  }
  %3 = net.python.constant #net.primitive<"exp">
  %4 = net.python.call %3(%x)
  net.python.return %4
}
net.entry @train calls @early (tensor<f32>)

// -----

// break on a tensor inside an unrolled loop: each iteration stands behind the one before, in a branch on whether the
// loop has been left, and what follows the loop is written once.

// CHECK-LABEL: func.func private @breaks
// CHECK:         %[[STOP:.*]]:2 = scf.if %{{.*}} -> (tensor<i1>, tensor<f32>)
// CHECK:         %[[S:.*]] = tensor.extract %[[STOP]]#0[]
// CHECK:         %[[SECOND:.*]]:3 = scf.if %[[S]] -> (tensor<i1>, tensor<i64>, tensor<f32>) {
// CHECK:           %[[TRUE:.*]] = net.constant dense<true>
// CHECK:           scf.yield %[[TRUE]], %{{.*}}, %[[STOP]]#1
// CHECK-NEXT:    } else {
// CHECK:           scf.if
// CHECK:             net.add
// CHECK:         %[[S2:.*]] = tensor.extract %[[SECOND]]#0[]
// CHECK-NEXT:    %[[THIRD:.*]]:3 = scf.if %[[S2]]
// CHECK:           scf.yield %{{.*}}, %[[SECOND]]#1, %[[SECOND]]#2
// CHECK:         net.tanh %[[THIRD]]#2
// CHECK-NOT:     net.tanh
net.python.func @breaks(x) names {} {
  %0 = net.python.constant #net.primitive<"builtins.range">
  %1 = net.python.constant 3 : i64
  %2 = net.python.call %0(%1)
  net.python.for "i" in %2 {
    %3 = net.python.load "x"
    %4 = net.python.constant 10.0 : f64
    %5 = net.python.operator "gt"(%3, %4)
    net.python.if %5 {
      net.python.break
    }
    %6 = net.python.operator "add"(%3, %3)
    net.python.store "x", %6
  }
  %7 = net.python.load "x"
  %8 = net.python.constant #net.primitive<"tanh">
  %9 = net.python.call %8(%7)
  net.python.return %9
}
net.entry @train calls @breaks (tensor<f32>)

// -----

// Tuples are joined leaf by leaf.

// CHECK-LABEL: func.func private @tuples
// CHECK:         %[[R:.*]]:2 = scf.if %{{.*}} -> (tensor<f32>, tensor<f32>)
// CHECK:         net.sub %[[R]]#0, %[[R]]#1
net.python.func @tuples(x) names {} {
  %x = net.python.load "x"
  %0 = net.python.constant 0.0 : f64
  %1 = net.python.operator "lt"(%x, %0)
  %2 = net.python.operator "neg"(%x)
  net.python.if %1 {
    %3 = net.python.tuple(%x, %2)
    net.python.store "pair", %3
  } else {
    %3 = net.python.tuple(%2, %x)
    net.python.store "pair", %3
  }
  %4 = net.python.load "pair"
  %5 = net.python.constant 0 : i64
  %6 = net.python.constant 1 : i64
  %7 = net.python.subscript %4[%5]
  %8 = net.python.subscript %4[%6]
  %9 = net.python.operator "sub"(%7, %8)
  net.python.return %9
}
net.entry @train calls @tuples (tensor<f32>)

// -----

// A number that a branch decides stays a number beside a tensor of f16, through
// arithmetic with other numbers and calls, too; the marks of it are gone.

// CHECK-LABEL: func.func private @decided
// CHECK:         %[[S:.*]] = scf.if %{{.*}} -> (tensor<f32>) {
// CHECK:         %[[D:.*]] = call @double{{.*}}(%[[S]])
// CHECK-NOT:     net.weak
// CHECK:         %[[H:.*]] = net.cast %[[D]]{{.*}} -> tensor<f16>
// CHECK:         net.mul %{{.*}}, %[[H]] : {{.*}}tensor<4xf16>
// CHECK-NOT:     net.weak
net.python.func @double(s) names {} {
  %s = net.python.load "s"
  %0 = net.python.constant 2 : i64
  %1 = net.python.operator "mul"(%s, %0)
  net.python.return %1
}
net.python.func @decided(x) names {double = @double} {
  %x = net.python.load "x"
  %0 = net.python.constant 0.5 : f64
  net.python.store "scale", %0
  %1 = net.python.getattr %x, "sum"
  %2 = net.python.call %1()
  %3 = net.python.constant 0 : i64
  %4 = net.python.operator "gt"(%2, %3)
  net.python.if %4 {
    %5 = net.python.constant 1 : i64
    net.python.store "scale", %5
  }
  %6 = net.python.load "scale"
  %7 = net.python.load "double"
  %8 = net.python.call %7(%6)
  %9 = net.python.operator "mul"(%x, %8)
  net.python.return %9
}
net.entry @train calls @decided (tensor<4xf16>)

// -----

// An attribute that one side sets first has a boolean beside it; one that both set, is joined.

net.cell @net class "Net" members {} methods {construct = @construct}

// CHECK-LABEL: func.func private @net.(
// CHECK:         %[[BOTH:.*]]:3 = scf.if %{{.*}} -> (tensor<i1>, tensor<f32>, tensor<f32>)
// CHECK:           %[[OWN:.*]] = net.mul
// CHECK:           %[[SEEN:.*]] = net.add %[[OWN]]
// CHECK:           %[[SET:.*]] = net.constant dense<true>
// CHECK:           scf.yield %[[SET]], %[[OWN]], %[[SEEN]]
// CHECK:           %[[UNSET:.*]] = net.constant dense<false>
// CHECK:           scf.yield %[[UNSET]]
// CHECK:         net.sub %{{.*}}, %[[BOTH]]#2
net.python.func @construct(self, x) names {} {
  %self = net.python.load "self"
  %x = net.python.load "x"
  %0 = net.python.constant 0.0 : f64
  %1 = net.python.operator "gt"(%x, %0)
  net.python.if %1 {
    %2 = net.python.operator "mul"(%x, %x)
    net.python.setattr %self, "own", %2
    %own = net.python.getattr %self, "own"
    %3 = net.python.operator "add"(%own, %x)
    net.python.setattr %self, "seen", %3
  } else {
    net.python.setattr %self, "seen", %x
  }
  %seen = net.python.getattr %self, "seen"
  %4 = net.python.operator "sub"(%x, %seen)
  net.python.return %4
}
net.entry @train calls @net (tensor<f32>)
