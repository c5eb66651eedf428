// RUN: plumb-opt --plumb-specialize-programs --split-input-file %s | FileCheck %s

// while on a tensor: the assigned names are carried; the counter is a number
// that changes, hence a tensor; `step` does not change and stays known.

// CHECK-LABEL: func.func private @loop
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK:         %[[ZERO:.*]] = net.constant dense<0> : tensor<i64>
// CHECK:         %[[R:.*]]:2 = scf.while (%[[Y:.*]] = %[[X]], %[[N:.*]] = %[[ZERO]])
// CHECK:           %[[LESS:.*]] = net.less %[[Y]]
// CHECK:           %[[C:.*]] = tensor.extract %[[LESS]][]
// CHECK:           scf.condition(%[[C]]) %[[Y]], %[[N]]
// CHECK:         do
// CHECK:           %[[Y1:.*]] = net.add
// CHECK:           %[[ONE:.*]] = net.constant dense<1> : tensor<i64>
// CHECK:           %[[N1:.*]] = net.add %{{.*}}, %[[ONE]]
// CHECK:           scf.yield %[[Y1]], %[[N1]]
// CHECK:         return %[[R]]#0, %[[R]]#1
net.python.func @loop(x) names {} {
  %0 = net.python.load "x"
  net.python.store "y", %0
  %1 = net.python.constant 0 : i64
  net.python.store "n", %1
  %2 = net.python.constant 1 : i64
  net.python.store "step", %2
  net.python.while {
    %3 = net.python.load "y"
    %4 = net.python.constant 100.0 : f64
    %5 = net.python.operator "lt"(%3, %4)
    net.python.condition %5
  } do {
    %3 = net.python.load "y"
    %4 = net.python.operator "add"(%3, %3)
    net.python.store "y", %4
    %5 = net.python.load "n"
    %6 = net.python.load "step"
    %7 = net.python.operator "add"(%5, %6)
    net.python.store "n", %7
  }
  %8 = net.python.load "y"
  %9 = net.python.load "n"
  %10 = net.python.tuple(%8, %9)
  net.python.return %10
}
net.entry @train calls @loop (tensor<f32>)

// -----

// while on a number is unrolled; continue and break are known.

// CHECK-LABEL: func.func private @unrolled
// CHECK-NOT:     scf.while
// CHECK-COUNT-2: net.exp
// CHECK-NOT:     net.exp
net.python.func @unrolled(x) names {} {
  %0 = net.python.constant 0 : i64
  net.python.store "i", %0
  net.python.while {
    %1 = net.python.constant true
    net.python.condition %1
  } do {
    %1 = net.python.load "i"
    %2 = net.python.constant 1 : i64
    %3 = net.python.operator "add"(%1, %2)
    net.python.store "i", %3
    %4 = net.python.operator "eq"(%3, %2)
    net.python.if %4 {
      net.python.continue
    }
    %5 = net.python.constant 3 : i64
    %6 = net.python.operator "gt"(%3, %5)
    net.python.if %6 {
      net.python.break
    }
    %7 = net.python.load "x"
    %8 = net.python.constant #net.primitive<"exp">
    %9 = net.python.call %8(%7)
    net.python.store "x", %9
  }
  %10 = net.python.load "x"
  net.python.return %10
}
net.entry @train calls @unrolled (tensor<f32>)

// -----

// Iterating over a tensor's rows, with enumerate.

// CHECK-LABEL: func.func private @rows
// CHECK:         %[[A:.*]] = net.slice %{{.*}} from [0, 0] to [1, 3]
// CHECK:         net.reshape %[[A]] to [3]
// CHECK:         net.slice %{{.*}} from [1, 0] to [2, 3]
net.python.func @rows(x) names {} {
  %0 = net.python.constant #net.primitive<"builtins.enumerate">
  %1 = net.python.load "x"
  %2 = net.python.call %0(%1)
  %3 = net.python.constant 0.0 : f64
  net.python.store "sum", %3
  net.python.for "$1" in %2 {
    %4 = net.python.load "$1"
    %5 = net.python.constant 0 : i64
    %6 = net.python.constant 1 : i64
    %7 = net.python.subscript %4[%5]
    %8 = net.python.subscript %4[%6]
    %9 = net.python.operator "mul"(%7, %8)
    %10 = net.python.load "sum"
    %11 = net.python.operator "add"(%10, %9)
    net.python.store "sum", %11
  }
  %12 = net.python.load "sum"
  net.python.return %12
}
net.entry @train calls @rows (tensor<2x3xf32>)

// -----

// break and return inside a loop on a tensor: the loop carries whether it was left, whether the function returns, and what.

// CHECK-LABEL: func.func private @leaves
// CHECK:         %[[W:.*]]:4 = scf.while (%[[I:.*]] = %{{.*}}, %[[LEFT:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:           %[[L:.*]] = tensor.extract %[[LEFT]][]
// CHECK:           %[[C:.*]] = scf.if %[[L]] -> (i1) {
// CHECK:           scf.condition(%[[C]])
// CHECK:         %[[R:.*]] = tensor.extract %[[W]]#2[]
// CHECK:         scf.if %[[R]] -> (tensor<f32>) {
// CHECK-NEXT:      scf.yield %[[W]]#3
// CHECK-NEXT:    } else {
// CHECK-NEXT:      net.neg %[[W]]#0
net.python.func @leaves(x) names {} {
  net.python.while {
    %0 = net.python.load "x"
    %1 = net.python.constant 10.0 : f64
    %2 = net.python.operator "lt"(%0, %1)
    net.python.condition %2
  } do {
    %0 = net.python.load "x"
    %1 = net.python.constant 5.0 : f64
    %2 = net.python.operator "gt"(%0, %1)
    net.python.if %2 {
      net.python.return %0
    }
    %3 = net.python.constant 2.0 : f64
    %4 = net.python.operator "gt"(%0, %3)
    net.python.if %4 {
      net.python.break
    }
    %5 = net.python.operator "add"(%0, %0)
    net.python.store "x", %5
  }
  %6 = net.python.load "x"
  %7 = net.python.operator "neg"(%6)
  net.python.return %7
}
net.entry @train calls @leaves (tensor<f32>)

// -----

// A type that changes once: the first iteration stands before the loop.

// CHECK-LABEL: func.func private @settles
// CHECK:         scf.if
// CHECK:           net.expand_dims
// CHECK:           scf.while {{.*}}(tensor<1xf32>) -> tensor<1xf32>
net.python.func @settles(x, n) names {} {
  net.python.while {
    %0 = net.python.load "x"
    net.python.condition %0
  } do {
    %0 = net.python.load "x"
    %1 = net.python.constant #net.primitive<"reshape">
    %2 = net.python.constant 1 : i64
    %3 = net.python.constant #net.primitive<"expand_dims">
    %4 = net.python.constant #net.primitive<"rank">
    %5 = net.python.call %4(%0)
    net.python.if %5 {
      net.python.store "x", %0
    } else {
      %6 = net.python.constant 0 : i64
      %7 = net.python.call %3(%0, %6)
      net.python.store "x", %7
    }
  }
  %8 = net.python.load "n"
  net.python.return %8
}
net.entry @train calls @settles (tensor<f32>, tensor<2xf32>)

// -----

// A name that an iteration assigns before it reads it, and that nothing behind the loop reads, is not carried, whatever
// it was before; here a number. One that is read behind the loop is, and one that an iteration reads on one way.

// CHECK-LABEL: func.func private @locals
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK-DAG:     %[[LEFT:.*]] = net.constant dense<false>
// CHECK-DAG:     %[[RETURNED:.*]] = net.constant dense<false>
// CHECK:         scf.while (%{{.*}} = %[[X]], %{{.*}} = %[[X]], %{{.*}} = %[[X]], %{{.*}} = %[[LEFT]], %{{.*}} = %[[RETURNED]])
// CHECK-SAME:      -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i1>)
// CHECK-NOT:     scf.while
net.python.func @locals(x) names {} {
  %0 = net.python.load "x"
  net.python.store "y", %0
  net.python.store "last", %0
  net.python.store "maybe", %0
  %1 = net.python.constant 3 : i64
  net.python.store "gate", %1
  net.python.while {
    %3 = net.python.load "y"
    %4 = net.python.constant 100.0 : f64
    %5 = net.python.operator "lt"(%3, %4)
    net.python.condition %5
  } do {
    %3 = net.python.load "y"
    %4 = net.python.operator "mul"(%3, %3)
    net.python.store "gate", %4
    %5 = net.python.load "gate"
    net.python.store "last", %5
    %6 = net.python.constant 1.0 : f64
    %7 = net.python.operator "gt"(%5, %6)
    net.python.if %7 {
      net.python.store "maybe", %5
      %11 = net.python.constant 2.0 : f64
      %12 = net.python.operator "gt"(%5, %11)
      net.python.if %12 {
        net.python.break
      }
    }
    %8 = net.python.load "maybe"
    %9 = net.python.operator "add"(%8, %5)
    net.python.store "y", %9
  }
  %10 = net.python.load "y"
  %11 = net.python.load "last"
  %12 = net.python.tuple(%10, %11)
  net.python.return %12
}
net.entry @train calls @locals (tensor<f32>)
