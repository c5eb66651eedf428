// RUN: plumb-opt %s --split-input-file --plumb-inline-calls | FileCheck %s
// RUN: plumb-opt %s --split-input-file --plumb-inline-calls --mlir-print-debuginfo | FileCheck %s --check-prefix=PLACE

// Callees come first; a function that something else names, too, is copied, with the calls' locations.

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[A:.*]] = net.mul %[[X]], %[[X]]
// CHECK-NEXT:    %[[B:.*]] = net.mul %[[A]], %[[A]]
// CHECK-NEXT:    %[[C:.*]] = net.mul %[[B]], %[[B]]
// CHECK-NEXT:    return %[[C]], %[[X]]
func.func @step(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = call @twice(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %1 = call @square(%0#0) : (tensor<f32>) -> tensor<f32>
  return %1, %0#1 : tensor<f32>, tensor<f32>
}

// CHECK-NOT: @twice
func.func private @twice(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = call @square(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @square(%0) : (tensor<f32>) -> tensor<f32>
  return %1, %x : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func private @square(
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What is marked stays, and what closes a cycle.

// CHECK-LABEL: func.func @step(
// CHECK-NEXT:    %[[A:.*]] = call @kept(%{{.*}}) :
// CHECK-NEXT:    %[[B:.*]] = call @plain(%[[A]]) {no_inline} :
// CHECK-NEXT:    call @round(%[[B]]) :
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @kept(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @plain(%0) {no_inline} : (tensor<f32>) -> tensor<f32>
  %2 = call @round(%1) : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  return %x : tensor<f32>
}

func.func private @plain(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

func.func private @round(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @round(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Calls in branches, and where a line was called from.

// CHECK-LABEL: func.func @branch(
// CHECK:         scf.if
// CHECK:           net.neg
// PLACE-DAG:     net.neg %{{.*}} loc(#[[CALLED:.*]])
// PLACE-DAG:     #[[CALLED]] = loc(callsite(#[[LINE:.*]] at #[[CALL:.*]]))
// PLACE-DAG:     #[[LINE]] = loc("callee.py":3:1)
// PLACE-DAG:     #[[CALL]] = loc("caller.py":7:1)
func.func @branch(%c: i1, %x: tensor<f32>) -> tensor<f32> {
  %0 = scf.if %c -> tensor<f32> {
    %1 = func.call @negative(%x) : (tensor<f32>) -> tensor<f32> loc("caller.py":7:1)
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}

func.func private @negative(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.neg %x : tensor<f32> loc("callee.py":3:1)
  return %0 : tensor<f32>
}
