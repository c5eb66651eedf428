// RUN: plumb-opt %s --plumb-expand-gradients --split-input-file | FileCheck %s

// An argument that is passed twice has two adjoints; one that is used twice has the sum of both uses.

// CHECK-LABEL: func.func @twice(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>)
// CHECK:         %[[Y:.*]] = net.mul %[[X]], %[[X]]
// CHECK:         %[[ONE:.*]] = net.constant dense<1.000000e+00> : tensor<f32>
// CHECK:         %[[D0:.*]] = net.mul %[[ONE]], %[[X]]
// CHECK:         %[[D1:.*]] = net.mul %[[ONE]], %[[X]]
// CHECK:         return %[[Y]], %[[D1]], %[[D0]]
func.func @twice(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0:3 = net.value_and_grad @product(%x, %x) {argnums = [0, 1]} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %0#0, %0#1, %0#2 : tensor<f32>, tensor<f32>, tensor<f32>
}
func.func private @product(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = net.mul %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[S:.*]]: tensor<f32>)
// CHECK:         %[[A:.*]] = net.mul %[[S]], %[[X]]
// CHECK:         %[[B:.*]] = net.mul %[[S]], %[[X]]
// CHECK:         %[[D:.*]] = net.add %[[B]], %[[A]]
// CHECK:         return %[[D]]
func.func @sum(%x: tensor<f32>, %s: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @square(%x, %s) {argnums = [0], sens = true} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @square(%a: tensor<f32>) -> tensor<f32> {
  %0 = net.mul %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The gradient by a parameter is that of all its reads; nothing goes to what was written.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @parameter(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK:         %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK:         %[[T:.*]] = net.tanh %[[W]]
// CHECK:         %[[U2:.*]] = net.assign @w, %[[T]] after %[[U1]]
// CHECK:         %[[W1:.*]], %[[U3:.*]] = net.read @w after %[[U2]]
// CHECK:         net.mul %[[W1]], %[[X]]
// CHECK:         %[[DW:.*]] = net.mul %{{.*}}, %[[X]]
// CHECK-NEXT:    return %[[DW]], %[[U3]]
func.func @parameter(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %0:3 = net.value_and_grad @update(%x, %u) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %0#2, %0#1 : tensor<f32>, !net.u
}
func.func private @update(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %t = net.tanh %w : tensor<f32>
  %u2 = net.assign @w, %t after %u1 : tensor<f32>
  %w1, %u3 = net.read @w after %u2 : tensor<f32>
  %y = net.mul %w1, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %y, %u3 : tensor<f32>, !net.u
}

// -----

// The adjoint of what is read goes to its source.

// CHECK-LABEL: func.func @straight_through(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
// CHECK:         %[[Z:.*]] = net.straight_through %[[X]], %[[Y]]
// CHECK:         net.mul %[[Z]], %[[X]]
// CHECK:         net.constant
// CHECK-DAG:     %[[DZ:.*]] = net.mul %{{.*}}, %[[X]]
// CHECK-DAG:     %[[DX:.*]] = net.mul %{{.*}}, %[[Z]]
// CHECK:         return %[[DX]], %[[DZ]]
func.func @straight_through(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:3 = net.value_and_grad @product(%x, %y) {argnums = [0, 1]} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %0#1, %0#2 : tensor<f32>, tensor<f32>
}
func.func private @product(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %z = net.straight_through %x, %y : tensor<f32>
  %0 = net.mul %z, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Nothing passes stop_gradient; what no gradient reaches has zeros.

// CHECK-LABEL: func.func @stopped(
// CHECK:         net.exp
// CHECK:         net.stop_gradient
// CHECK:         %[[ZERO:.*]] = net.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK:         return %[[ZERO]]
func.func @stopped(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = net.value_and_grad @stop(%x) {argnums = [0]} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
func.func private @stop(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = net.exp %a : tensor<2xf32>
  %1 = net.stop_gradient %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// With has_aux only the first result is differentiated.

// CHECK-LABEL: func.func @aux(
// CHECK:         %[[ONE:.*]] = net.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    %[[D:.*]] = net.neg %[[ONE]]
// CHECK-NEXT:    return %[[D]]
func.func @aux(%x: tensor<f32>) -> tensor<f32> {
  %0:3 = net.value_and_grad @both(%x) {argnums = [0], has_aux} : (tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %0#2 : tensor<f32>
}
func.func private @both(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = net.neg %a : tensor<f32>
  %1 = net.exp %a : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

// Labels are no part of it, and steps are flat: no gradient asks for the rule of floor.

// CHECK-LABEL: func.func @labels(
// CHECK:         net.floor
// CHECK:         net.mul
func.func @labels(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @label(%x, %y) {argnums = [0]} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @label(%a: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %s = net.add %y, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = net.floor %s : tensor<f32>
  %1 = net.mul %a, %0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// The gradient of a gradient: the inner one is plain code by the time the outer one is taken.

// CHECK-LABEL: func.func @second(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>)
// CHECK-NOT:     net.value_and_grad
// CHECK:         net.exp %[[X]]
// CHECK:         return
func.func @second(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @first(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @first(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @exponential(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @exponential(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.exp %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A function with a rule of its own is called, and so is its rule; a rule with effects continues the tokens.

net.parameter @calls : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @custom(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK:         %[[Y:.*]] = call @clip(%[[X]])
// CHECK:         %[[ONE:.*]] = net.constant dense<1.000000e+00> : tensor<f32>
// CHECK:         %[[D:.*]]:2 = call @clip_bprop(%[[X]], %[[Y]], %[[ONE]], %[[U]])
// CHECK:         return %[[D]]#0, %[[D]]#1
func.func @custom(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %0:3 = net.value_and_grad @use(%x, %u) {argnums = [0]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %0#2, %0#1 : tensor<f32>, !net.u
}
func.func private @use(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %0 = call @clip(%x) : (tensor<f32>) -> tensor<f32>
  return %0, %u : tensor<f32>, !net.u
}
func.func private @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop, no_inline} {
  return %x : tensor<f32>
}
func.func private @clip_bprop(%x: tensor<f32>, %y: tensor<f32>, %dy: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %u1 = net.assign @calls, %dy after %u : tensor<f32>
  return %dy, %u1 : tensor<f32>, !net.u
}

// -----

// What is marked no_inline is seen through where it is differentiated.

// CHECK-LABEL: func.func @through(
// CHECK-NOT:     call
// CHECK:         net.exp
// CHECK:         net.mul
func.func @through(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @outer(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @outer(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @kept(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  %0 = net.exp %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A gradient passes conversions to integers, whose fractions it loses.

// CHECK-LABEL: func.func @through_integers(
// CHECK:         %[[ONE:.*]] = net.constant dense<1.000000e+00> : tensor<f32>
// CHECK:         %[[CUT:.*]] = net.cast %[[ONE]] to i32
// CHECK:         %[[D:.*]] = net.cast %[[CUT]] to f32
// CHECK:         return %[[D]]
func.func @through_integers(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @cut(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @cut(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.cast %x to i32 : (tensor<f32>) -> tensor<i32>
  %1 = net.cast %0 to f32 : (tensor<i32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Integers that are added at indices are numbers, and have a gradient; the indices have none.

// CHECK-LABEL: func.func @integers_at_indices(
// CHECK-SAME:      %[[I:[^:]*]]: tensor<2xi32>
// CHECK:         net.gather
// CHECK:         %[[D:.*]] = net.{{(mul|select)}} {{.*}} tensor<2xi64>
// CHECK:         return %[[D]]
func.func @integers_at_indices(%i: tensor<2xi32>, %u: tensor<2xi64>) -> tensor<2xi64> {
  %0:2 = net.value_and_grad @put(%i, %u) {argnums = [1]} : (tensor<2xi32>, tensor<2xi64>) -> (tensor<3xi64>, tensor<2xi64>)
  return %0#1 : tensor<2xi64>
}
func.func private @put(%i: tensor<2xi32>, %u: tensor<2xi64>) -> tensor<3xi64> {
  %0 = net.constant dense<1> : tensor<3xi64>
  %1 = net.scatter %0, %i, %u mode "add" : (tensor<3xi64>, tensor<2xi32>, tensor<2xi64>) -> tensor<3xi64>
  return %1 : tensor<3xi64>
}

// -----

// Forward code that a kept call shares stands in the place of that call, before what computes the adjoint from its
// result; its effects happen once, and the token goes on behind what was read in between.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>
net.parameter @n : tensor<f32> = dense<0.0> : tensor<f32>
net.parameter @scale : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK-NEXT:    %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK-NEXT:    %[[U2:.*]] = net.assign @n, %[[X]] after %[[U1]]
// CHECK-NEXT:    %[[Y:.*]] = net.mul %[[W]], %[[X]]
// CHECK-NEXT:    %[[S:.*]], %[[U3:.*]] = net.read @scale after %[[U2]]
// CHECK-NEXT:    %[[A:.*]] = net.mul %[[Y]], %[[S]]
// CHECK:         %[[DW:.*]] = net.mul %[[A]], %[[X]]
// CHECK-NEXT:    return %[[Y]], %[[DW]], %[[Y]], %[[U3]]
func.func @shared(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, tensor<f32>, !net.u) {
  %y:2 = call @counted(%x, %u) {no_inline} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
  %s, %u1 = net.read @scale after %y#1 : tensor<f32>
  %a = net.mul %y#0, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %z:3 = net.value_and_grad @counted(%x, %u1, %a) {weights = [@w], sens = true} : (tensor<f32>, !net.u, tensor<f32>) -> (tensor<f32>, !net.u, tensor<f32>)
  return %y#0, %z#2, %z#0, %z#1 : tensor<f32>, tensor<f32>, tensor<f32>, !net.u
}
func.func private @counted(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %u2 = net.assign @n, %x after %u1 : tensor<f32>
  %y = net.mul %w, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %y, %u2 : tensor<f32>, !net.u
}
