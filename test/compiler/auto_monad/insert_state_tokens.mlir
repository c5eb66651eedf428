// RUN: plumb-opt %s --plumb-insert-state-tokens --split-input-file | FileCheck %s

// Reads, writes and prints get tokens in program order; an entry makes its own and returns the last ones.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>
net.entry @train calls @step (tensor<f32>) {mode = "train"}

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>) -> (tensor<f32>, !net.u, !net.io) {
// CHECK-DAG:     %[[U:.*]] = net.token : !net.u
// CHECK-DAG:     %[[IO:.*]] = net.token : !net.io
// CHECK:         %[[V:.*]], %[[U1:.*]] = net.read @w after %[[U]] : tensor<f32>
// CHECK:         %[[U2:.*]] = net.assign @w, %[[X]] after %[[U1]] : tensor<f32>
// CHECK:         %[[IO1:.*]] = net.print "{}"(%[[V]]) after %[[IO]] : tensor<f32>
// CHECK:         return %[[V]], %[[U2]], %[[IO1]] : tensor<f32>, !net.u, !net.io
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %v = net.read @w : tensor<f32>
  net.assign @w, %x : tensor<f32>
  net.print "{}"(%v) : tensor<f32>
  return %v : tensor<f32>
}

// -----

// Effects travel up the call graph, and into a gradient: tokens follow the callee's arguments and results, seeds follow
// the tokens. A pure function is left alone.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @outer(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[S:.*]]: tensor<f32>, %[[U:.*]]: !net.u) -> (tensor<f32>, !net.u) {
// CHECK:         %[[A:.*]]:2 = call @inner(%[[X]], %[[U]]) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
// CHECK:         %[[P:.*]] = call @pure(%[[A]]#0) : (tensor<f32>) -> tensor<f32>
// CHECK:         %[[G:.*]]:4 = net.value_and_grad @inner(%[[P]], %[[A]]#1, %[[S]])
// CHECK-SAME:      (tensor<f32>, !net.u, tensor<f32>) -> (tensor<f32>, !net.u, tensor<f32>, tensor<f32>)
// CHECK:         return %[[G]]#2, %[[G]]#1 : tensor<f32>, !net.u
func.func @outer(%x: tensor<f32>, %s: tensor<f32>) -> tensor<f32> {
  %a = call @inner(%x) : (tensor<f32>) -> tensor<f32>
  %p = call @pure(%a) : (tensor<f32>) -> tensor<f32>
  %g:3 = net.value_and_grad @inner(%p, %s) {argnums = [0], weights = [@w], sens = true} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %g#1 : tensor<f32>
}

// CHECK-LABEL: func.func @inner(
// CHECK-SAME:    %{{.*}}: tensor<f32>, %[[U:.*]]: !net.u) -> (tensor<f32>, !net.u) {
// CHECK:         net.read @w after %[[U]]
func.func @inner(%x: tensor<f32>) -> tensor<f32> {
  %w = net.read @w : tensor<f32>
  %y = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @pure(%{{.*}}: tensor<f32>) -> tensor<f32> {
func.func @pure(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// A branch without an else gets one, which passes the token on.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u) -> !net.u {
// CHECK:         %[[R:.*]] = scf.if %[[C]] -> (!net.u) {
// CHECK:           %[[U1:.*]] = net.assign @w, %[[X]] after %[[U]] : tensor<f32>
// CHECK:           scf.yield %[[U1]] : !net.u
// CHECK:         } else {
// CHECK:           scf.yield %[[U]] : !net.u
// CHECK:         }
// CHECK:         return %[[R]] : !net.u
func.func @branch(%c: i1, %x: tensor<f32>) {
  scf.if %c {
    net.assign @w, %x : tensor<f32>
  }
  return
}

// -----

// Loops carry their tokens.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @loops(
// CHECK-SAME:    %{{.*}}, %[[U:.*]]: !net.u) -> (tensor<f32>, !net.u) {
// CHECK:         %[[W:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[UB:.*]] = %[[U]])
// CHECK:           %{{.*}}, %[[U1:.*]] = net.read @w after %[[UB]]
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %[[U1]] : tensor<f32>, !net.u
// CHECK:         ^bb0(%{{.*}}: tensor<f32>, %[[UA:.*]]: !net.u):
// CHECK:           %[[U2:.*]] = net.assign @w, %{{.*}} after %[[UA]]
// CHECK:           scf.yield %{{.*}}, %[[U2]] : tensor<f32>, !net.u
// CHECK:         %[[F:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[W]]#0, %[[UF:.*]] = %[[W]]#1)
// CHECK:           %[[U3:.*]] = net.assign @w, %{{.*}} after %[[UF]]
// CHECK:           scf.yield %{{.*}}, %[[U3]] : tensor<f32>, !net.u
// CHECK:         return %[[F]]#0, %[[F]]#1
func.func @loops(%x: tensor<f32>, %a: index, %b: index, %s: index) -> tensor<f32> {
  %r = scf.while (%y = %x) : (tensor<f32>) -> tensor<f32> {
    %w = net.read @w : tensor<f32>
    %less = net.less %y, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = tensor.extract %less[] : tensor<i1>
    scf.condition(%c) %y : tensor<f32>
  } do {
  ^bb0(%y: tensor<f32>):
    net.assign @w, %y : tensor<f32>
    scf.yield %y : tensor<f32>
  }
  %f = scf.for %i = %a to %b step %s iter_args(%y = %r) -> (tensor<f32>) {
    net.assign @w, %y : tensor<f32>
    scf.yield %y : tensor<f32>
  }
  return %f : tensor<f32>
}

// -----

// Recursion settles: both functions have the effect that one of them has.

// CHECK-LABEL: func.func @ping(%{{.*}}: tensor<f32>, %{{.*}}: !net.io) -> !net.io
func.func @ping(%x: tensor<f32>) {
  call @pong(%x) : (tensor<f32>) -> ()
  return
}

// CHECK-LABEL: func.func @pong(%{{.*}}: tensor<f32>, %{{.*}}: !net.io) -> !net.io
func.func @pong(%x: tensor<f32>) {
  net.print "{}"(%x) : tensor<f32>
  call @ping(%x) : (tensor<f32>) -> ()
  return
}

// -----

// An entry that is called, too, gets a twin for its callers, which takes its token from them.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>
net.entry @eval calls @forward (tensor<f32>) {mode = "eval"}

// CHECK: func.func private @[[TWIN:forward_.*]](%{{.*}}: tensor<f32>, %{{.*}}: !net.u) -> (tensor<f32>, !net.u)
// CHECK-LABEL: func.func @forward(%{{.*}}: tensor<f32>) -> (tensor<f32>, !net.u)
// CHECK: net.token
func.func @forward(%x: tensor<f32>) -> tensor<f32> {
  %w = net.read @w : tensor<f32>
  return %w : tensor<f32>
}

// CHECK-LABEL: func.func @caller(
// CHECK: call @[[TWIN]](
func.func @caller(%x: tensor<f32>) -> tensor<f32> {
  %y = call @forward(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
