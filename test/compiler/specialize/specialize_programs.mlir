// RUN: plumb-opt --plumb-specialize-programs --split-input-file %s | FileCheck %s

// A cell's construct is written for the batch's types; members are known, the
// parameter is read where it is used, and each signature is written once.

net.parameter @w : tensor<3x4xf32> = dense<0.5> : tensor<3x4xf32>
net.cell @net class "Net" members {w = @w, axis = 1 : i64, scales = [2.0 : f64, 3.0 : f64]} methods {construct = @Net.construct, twice = @Net.twice}

// CHECK:       net.entry @train calls @train.step {{.*}}reports = ["output"]
// CHECK-LABEL: func.func @train.step(
// CHECK-SAME:      %[[X:.*]]: tensor<2x4xf32>) -> tensor<2xf32>
// CHECK:         call @net.construct(%[[X]])
// CHECK-LABEL: func.func private @net.construct(
// CHECK-SAME:      %[[X:.*]]: tensor<2x4xf32>) -> tensor<2xf32>
// CHECK:         %[[W:.*]] = net.read @w
// CHECK:         %[[Y:.*]] = net.matmul %[[X]], %[[W]] {transpose_b = true}
// CHECK:         %[[A:.*]] = call @net.twice(%[[Y]])
// CHECK:         %[[B:.*]] = call @net.twice(%[[A]])
// CHECK:         %[[TWO:.*]] = net.constant dense<2.000000e+00> : tensor<f32>
// CHECK:         net.mul %[[B]], %[[TWO]]
// CHECK:         %[[THREE:.*]] = net.constant dense<3.000000e+00> : tensor<f32>
// CHECK:         %[[M:.*]] = net.mul %{{.*}}, %[[THREE]]
// CHECK:         net.reduce_sum %[[M]] over [1]
// CHECK-LABEL: func.func private @net.twice(
// CHECK:         net.add
// CHECK-NOT:   func.func private @net.twice
net.python.func @Net.construct(self, x) names {} {
  %0 = net.python.constant #net.primitive<"matmul", {transpose_b = true}>
  %1 = net.python.load "x"
  %2 = net.python.load "self"
  %3 = net.python.getattr %2, "w"
  %4 = net.python.call %0(%1, %3)
  %5 = net.python.getattr %2, "twice"
  %6 = net.python.call %5(%4)
  %7 = net.python.call %5(%6)
  net.python.store "y", %7
  %8 = net.python.getattr %2, "scales"
  net.python.for "s" in %8 {
    %9 = net.python.load "y"
    %10 = net.python.load "s"
    %11 = net.python.operator "mul"(%9, %10)
    net.python.store "y", %11
  }
  %12 = net.python.load "y"
  %13 = net.python.getattr %12, "sum"
  %14 = net.python.getattr %2, "axis"
  %15 = net.python.call %13(%14)
  net.python.return %15
}
net.python.func @Net.twice(self, x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.operator "add"(%0, %0)
  net.python.return %1
}
net.entry @train calls @net (tensor<2x4xf32>)

// -----

// Branches on what is known disappear, with the code that would be wrong.

// CHECK-LABEL: func.func private @f
// CHECK-NOT:     scf.if
// CHECK:         net.relu
// CHECK-NOT:     net.tanh
net.python.func @f(x, bias = #net.none) names {} {
  %0 = net.python.load "x"
  %1 = net.python.getattr %0, "ndim"
  %2 = net.python.constant 2 : i64
  %3 = net.python.operator "eq"(%1, %2)
  net.python.if %3 {
    %4 = net.python.constant #net.primitive<"relu">
    %5 = net.python.call %4(%0)
    net.python.return %5
  }
  %6 = net.python.constant #net.primitive<"tanh">
  %7 = net.python.load "undefined"
  %8 = net.python.call %6(%7)
  net.python.return %8
}
net.entry @train calls @f (tensor<2x4xf32>)

// -----

// Promotion: a float beside integers makes f32, a number beside floats takes
// their type, two tensors meet in the wider type, / is a true division.

// CHECK:       net.entry @train {{.*}}reports = ["sum", "output1"]
// CHECK-LABEL: func.func private @promote
// CHECK-SAME:      %[[I:.*]]: tensor<4xi32>, %[[F:.*]]: tensor<4xf16>
// CHECK:         %[[C:.*]] = net.constant dense<5.000000e-01> : tensor<f32>
// CHECK:         net.mul %{{.*}}, %[[C]] : (tensor<4xf32>, tensor<f32>)
// CHECK:         net.constant dense<1.000000e+00> : tensor<f16>
// CHECK:         net.add %{{.*}} : (tensor<4xf16>, tensor<f16>)
// CHECK:         net.add %{{.*}} : (tensor<4xf32>, tensor<4xf32>)
// CHECK:         net.div %{{.*}} : (tensor<4xf32>, tensor<4xf32>)
net.python.func @promote(i, f) names {} {
  %i = net.python.load "i"
  %f = net.python.load "f"
  %half = net.python.constant 0.5 : f64
  %one = net.python.constant 1 : i64
  %0 = net.python.operator "mul"(%i, %half)
  %1 = net.python.operator "add"(%f, %one)
  %2 = net.python.operator "add"(%0, %1)
  %3 = net.python.operator "truediv"(%i, %i)
  %4 = net.python.tuple(%2, %3)
  net.python.return %4
}
net.entry @train calls @promote (tensor<4xi32>, tensor<4xf16>) {reports = ["sum"]}

// -----

// Effects are written where Python has them; assign converts numbers and fills.

net.parameter @step : tensor<f32> = dense<0.0> : tensor<f32>
net.parameter @m : tensor<4xf32> = dense<0.0> : tensor<4xf32>
net.cell @net class "Net" members {step = @step, m = @m} methods {construct = @Net.construct}

// CHECK-LABEL: func.func private @net.construct
// CHECK:         %[[S:.*]] = net.read @step
// CHECK:         %[[N:.*]] = net.add %[[S]]
// CHECK:         net.assign @step, %[[N]]
// CHECK:         %[[Z:.*]] = net.broadcast_to
// CHECK:         net.assign @m, %[[Z]]
// CHECK:         net.print "step\0A{}"(%{{.*}}) : tensor<f32>
net.python.func @Net.construct(self, x) names {} {
  %0 = net.python.load "self"
  %1 = net.python.getattr %0, "step"
  %2 = net.python.constant 1 : i64
  %3 = net.python.operator "add"(%1, %2)
  net.python.setattr %0, "step", %3
  %4 = net.python.constant #net.primitive<"assign">
  %5 = net.python.getattr %0, "m"
  %6 = net.python.constant 0.0 : f64
  %7 = net.python.call %4(%5, %6)
  %8 = net.python.constant #net.primitive<"builtins.print">
  %9 = net.python.constant "step"
  %10 = net.python.call %8(%9, %1)
  %11 = net.python.load "x"
  net.python.return %11
}
net.entry @train calls @net (tensor<4xf32>)

// -----

// Recursion on a constant ends.

// CHECK-LABEL: func.func private @power_1(
// CHECK:         call @power_2
net.python.func @power(x, n) names {} {
  %0 = net.python.load "n"
  %1 = net.python.load "x"
  %zero = net.python.constant 0 : i64
  %2 = net.python.operator "eq"(%0, %zero)
  net.python.if %2 {
    net.python.return %1
  }
  %3 = net.python.constant @power
  %4 = net.python.constant 1 : i64
  %5 = net.python.operator "sub"(%0, %4)
  %6 = net.python.call %3(%1, %5) names ["", "n"]
  %7 = net.python.operator "mul"(%1, %6)
  net.python.return %7
}
net.python.func @start(x) names {} {
  %0 = net.python.constant @power
  %1 = net.python.load "x"
  %2 = net.python.constant 3 : i64
  %3 = net.python.call %0(%1, %2)
  net.python.return %3
}
net.entry @train calls @start (tensor<4xf32>)
