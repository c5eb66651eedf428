// RUN: plumb-opt --plumb-specialize-programs --split-input-file %s | FileCheck %s

// A raise under a condition on a tensor asserts; what follows stands outside of branches.

// CHECK-LABEL: func.func private @raises
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK:         scf.if %{{.*}} {
// CHECK:           %[[ONE:.*]] = net.constant dense<1> : tensor<i32>
// CHECK-NEXT:      check.assert %[[ONE]], "ValueError: {{[{][{]}}no{{[}][}]}}" at_once : tensor<i32>
// CHECK-NOT:     scf.if
// CHECK:         %[[TWICE:.*]] = net.add %[[X]], %[[X]]
// CHECK-NEXT:    return %[[TWICE]]
net.python.func @raises(x) names {} {
  %0 = net.python.load "x"
  net.python.if %0 {
    net.python.raise "ValueError: {no}"
  }
  %1 = net.python.operator "add"(%0, %0)
  net.python.return %1
}
net.entry @train calls @raises (tensor<f32>)

// -----

// An assertion needs no branch.

// CHECK-LABEL: func.func private @asserts
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK-NOT:     scf.if
// CHECK:         %[[HOLDS:.*]] = net.not_equal %[[X]]
// CHECK:         %[[FAILS:.*]] = net.logical_not %[[HOLDS]]
// CHECK:         %[[NUMBER:.*]] = net.cast %[[FAILS]] to i32
// CHECK:         check.assert %[[NUMBER]], "AssertionError: assertion failed: x" at_once : tensor<i32>
net.python.func @asserts(x) names {} {
  %0 = net.python.load "x"
  net.python.assert %0, "x"
  net.python.return %0
}
net.entry @train calls @asserts (tensor<f32>)

// -----

// What only one side returns is what the function returns: no result of the branch where it was made before.

// CHECK-LABEL: func.func private @one_side
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK:         scf.if %{{.*}} {
// CHECK:           check.assert
// CHECK:         } else {
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[X]]
net.python.func @one_side(x) names {} {
  %0 = net.python.load "x"
  net.python.if %0 {
    net.python.raise "ValueError: no"
  } else {
    net.python.return %0
  }
}
net.entry @train calls @one_side (tensor<f32>)

// -----

// A text with values, also where it is always reached.

// CHECK-LABEL: func.func private @values
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK:         check.assert %{{.*}}, "ValueError: {{[{][{]}}{}{{[}][}]}} of 3" at_once(%[[X]]) : tensor<i32>, tensor<f32>
net.python.func @values(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant #net.primitive<"builtins.raise_text">
  %2 = net.python.constant "ValueError"
  %3 = net.python.constant "{"
  %4 = net.python.constant "} of "
  %5 = net.python.constant 3 : i64
  %6 = net.python.call %1(%2, %3, %0, %4, %5)
  net.python.return %0
}
net.entry @train calls @values (tensor<f32>)

// -----

// One operation calls a function that raises and then one that does not: the second returns, here and wherever else it is
// called.

// CHECK-LABEL: func.func private @maps
// CHECK-SAME:      %[[X:.*]]: tensor<f32>
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      func.call @picky
// CHECK-NEXT:    } else {
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[TWO:.*]] = net.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %[[SUM:.*]] = net.add %[[X]], %[[TWO]]
// CHECK-NEXT:    return %[[SUM]]
net.python.func @picky(k) names {} {
  %0 = net.python.load "k"
  %1 = net.python.constant 1 : i64
  %2 = net.python.operator "eq"(%0, %1)
  net.python.if %2 {
    net.python.raise "ValueError: one"
  }
  %3 = net.python.load "k"
  net.python.return %3
}
net.python.func @maps(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant #net.primitive<"builtins.map">
  %2 = net.python.constant @picky
  %3 = net.python.constant 1 : i64
  %4 = net.python.constant 2 : i64
  net.python.if %0 {
    %5 = net.python.tuple(%3, %4)
    %6 = net.python.call %1(%2, %5)
  }
  %7 = net.python.call %2(%4)
  %8 = net.python.operator "add"(%0, %7)
  net.python.return %8
}
net.entry @train calls @maps (tensor<f32>)

// -----

// With a `try` around, what raises is a way out of the body: the last block runs with the names as each way has left them, and
// what no handler takes ends the launch behind it.

// CHECK-LABEL: func.func private @tries
// CHECK:         %[[CALL:.*]]:2 = call @checked
// CHECK:         %[[RAISED:.*]] = tensor.extract %[[CALL]]#1
// CHECK:         scf.if %[[RAISED]]
// CHECK:           net.print
// CHECK:           check.assert %{{.*}} "AssertionError: assertion failed: x must not be zero"
// CHECK:         } else {
// CHECK:           net.print
// CHECK-LABEL: func.func private @checked
// CHECK:         return %{{.*}}, %{{.*}} : tensor<f32>, tensor<i1>
net.python.func @checked(x) names {} {
  %0 = net.python.load "x"
  net.python.assert %0, "x must not be zero"
  %1 = net.python.operator "add"(%0, %0)
  net.python.return %1
}
net.python.func @tries(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant @checked
  net.python.try {
    %2 = net.python.call %1(%0)
    net.python.store "x", %2
  } finally {
    %3 = net.python.load "x"
    %4 = net.python.constant "last"
    %5 = net.python.constant #net.primitive<"builtins.print">
    %6 = net.python.call %5(%4, %3)
  }
  %7 = net.python.load "x"
  net.python.return %7
}
net.entry @train calls @tries (tensor<f32>)

// -----

// Iterations stand one behind another. Of the exceptions, those that only iterations before may have raised stay what
// they are: no branch yields them again.

// CHECK-LABEL: func.func private @iterates
// CHECK:         %[[FIRST:.*]]:2 = scf.if %{{.*}} -> (tensor<i1>, tensor<f32>)
// CHECK:         %[[LEFT:.*]] = tensor.extract %[[FIRST]]#0
// CHECK-NEXT:    %[[SECOND:.*]]:3 = scf.if %[[LEFT]] -> (tensor<i1>, tensor<i64>, tensor<f32>)
// CHECK:         %[[ANY:.*]] = net.logical_or %[[SECOND]]#0, %[[FIRST]]#0
// CHECK-NEXT:    %[[LEFT:.*]] = tensor.extract %[[ANY]]
// CHECK-NEXT:    %[[THIRD:.*]]:3 = scf.if %[[LEFT]] -> (tensor<i1>, tensor<i64>, tensor<f32>)
// CHECK:         scf.yield %[[FIRST]]#0, %[[SECOND]]#0, %[[THIRD]]#0
// CHECK:         net.print "{}"(%[[THIRD]]#2)
// CHECK:         check.assert %{{.*}}, "ValueError: 2"
net.python.func @iterates(x) names {} {
  net.python.try {
    %2 = net.python.constant #net.primitive<"builtins.range">
    %3 = net.python.constant 3 : i64
    %4 = net.python.call %2(%3)
    net.python.for "i" in %4 {
      %5 = net.python.load "x"
      %6 = net.python.load "i"
      %7 = net.python.operator "gt"(%5, %6)
      net.python.if %7 {
        %8 = net.python.constant #net.primitive<"builtins.raise_text">
        %9 = net.python.constant "ValueError"
        %10 = net.python.call %8(%9, %6)
      }
      %11 = net.python.constant #net.primitive<"exp">
      %12 = net.python.call %11(%5)
      net.python.store "x", %12
    }
  } finally {
    %2 = net.python.load "x"
    %3 = net.python.constant #net.primitive<"builtins.print">
    %4 = net.python.call %3(%2)
  }
  %13 = net.python.load "x"
  net.python.return %13
}
net.entry @train calls @iterates (tensor<f32>)
