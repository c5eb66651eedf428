// RUN: plumb-opt --plumb-specialize-programs --split-input-file %s | FileCheck %s

// value_and_grad by weights: (value, (dw,)).

net.parameter @w : tensor<4xf32> = dense<1.0> : tensor<4xf32>

// CHECK-LABEL: func.func private @step
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[V:.*]]:2 = net.value_and_grad @loss{{.*}}(%[[X]]) {weights = [@w]} : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
// CHECK:         net.assign @w, %[[V]]#1
// CHECK:         return %[[V]]#0
net.python.func @loss(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant @w
  %2 = net.python.operator "mul"(%0, %1)
  %3 = net.python.constant #net.primitive<"reduce_sum">
  %4 = net.python.call %3(%2)
  net.python.return %4
}
net.python.func @step(x) names {} {
  %0 = net.python.constant #net.grad<fn = @loss, argnums = [], weights = [@w], value = true, has_aux = false, sens = false>
  %1 = net.python.load "x"
  %2 = net.python.call %0(%1)
  %3 = net.python.constant 0 : i64
  %4 = net.python.constant 1 : i64
  %5 = net.python.subscript %2[%3]
  %6 = net.python.subscript %2[%4]
  %7 = net.python.subscript %6[%3]
  %8 = net.python.constant #net.primitive<"assign">
  %9 = net.python.constant @w
  %10 = net.python.call %8(%9, %7)
  net.python.return %5
}
net.entry @train calls @step (tensor<4xf32>)

// -----

// GradOperation with all inputs, weights and a given adjoint; those of integers
// are inputs like others.

net.parameter @w : tensor<4xf32> = dense<1.0> : tensor<4xf32>

// CHECK-LABEL: func.func private @step
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>
// CHECK:         %[[S:.*]] = net.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK:         %[[V:.*]]:4 = net.value_and_grad @scale{{.*}}(%[[X]], %[[I]], %[[S]]) {argnums = [0, 1], sens = true, weights = [@w]}
// CHECK:         return %[[V]]#1, %[[V]]#2, %[[V]]#3
net.python.func @scale(x, i) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant @w
  %2 = net.python.operator "mul"(%0, %1)
  %3 = net.python.load "i"
  %4 = net.python.operator "mul"(%2, %3)
  net.python.return %4
}
net.python.func @step(x, i) names {} {
  %0 = net.python.constant #net.primitive<"grad_operation", {get_all = true, get_by_list = true, sens_param = true}>
  %1 = net.python.constant @scale
  %2 = net.python.constant [@w]
  %3 = net.python.call %0(%1, %2)
  %4 = net.python.load "x"
  %5 = net.python.load "i"
  %6 = net.python.constant 2.0 : f64
  %7 = net.python.call %3(%4, %5, %6)
  net.python.return %7
}
net.entry @train calls @step (tensor<4xf32>, tensor<4xi32>)

// -----

// A gradient of a gradient gets a function around the inner one.

// CHECK-LABEL: func.func @train.step
// CHECK:         net.value_and_grad @call
// CHECK-LABEL: func.func private @call{{.*}}(
// CHECK:         net.value_and_grad @cube
// CHECK-LABEL: func.func private @cube
net.python.func @cube(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.constant 3 : i64
  %2 = net.python.operator "pow"(%0, %1)
  net.python.return %2
}
net.entry @train calls #net.grad<fn = #net.grad<fn = @cube, argnums = [0], weights = [], value = false, has_aux = false, sens = false>, argnums = [0], weights = [], value = false, has_aux = false, sens = false> (tensor<f32>)

// -----

// Results after the first are passed through: the op says that no adjoint starts from them.
// CHECK-LABEL: func.func @train.step
// CHECK: net.value_and_grad @{{.*}} {{{.*}}has_aux{{.*}}} : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
net.python.func @both(x) names {} {
  %0 = net.python.load "x"
  %1 = net.python.operator "mul"(%0, %0)
  %2 = net.python.tuple(%1, %0)
  net.python.return %2
}
net.entry @train calls #net.grad<fn = @both, argnums = [0], weights = [], value = true, has_aux = true, sens = false> (tensor<f32>)
