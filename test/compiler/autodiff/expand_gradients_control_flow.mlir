// RUN: plumb-opt %s --plumb-expand-gradients --cse --split-input-file | FileCheck %s

// A branch becomes a branch on the same condition; what its reverse needs is saved, effects happen once.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK:         %[[F:.*]]:3 = scf.if %[[C]] -> (tensor<f32>, !net.u, tensor<f32>) {
// CHECK:           %[[E:.*]] = net.exp %[[X]]
// CHECK:           %[[U1:.*]] = net.assign @w, %[[E]] after %[[U]]
// CHECK:           scf.yield %[[E]], %[[U1]], %[[E]]
// CHECK:         } else {
// CHECK:           %[[W:.*]], %[[U2:.*]] = net.read @w after %[[U]]
// CHECK:           %[[P:.*]] = net.mul %[[X]], %[[W]]
// CHECK:           scf.yield %[[P]], %[[U2]], %[[W]]
// CHECK:         }
// CHECK-NOT:     net.assign
// CHECK:         %[[R:.*]]:2 = scf.if %[[C]] -> (tensor<f32>, tensor<f32>) {
// CHECK:           %[[A:.*]] = net.mul %{{.*}}, %[[F]]#2
// CHECK:           scf.yield %[[A]], %{{.*}}
// CHECK:         } else {
// CHECK-DAG:       %[[B:.*]] = net.mul %{{.*}}, %[[F]]#2
// CHECK-DAG:       %[[DW:.*]] = net.mul %{{.*}}, %[[X]]
// CHECK:           scf.yield %[[B]], %[[DW]]
// CHECK:         }
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[F]]#1
func.func @branch(%c: i1, %x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, !net.u) {
  %0:4 = net.value_and_grad @either(%c, %x, %u) {argnums = [1], weights = [@w]} : (i1, tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>, tensor<f32>)
  return %0#2, %0#3, %0#1 : tensor<f32>, tensor<f32>, !net.u
}
func.func private @either(%c: i1, %x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %0:2 = scf.if %c -> (tensor<f32>, !net.u) {
    %e = net.exp %x : tensor<f32>
    %u1 = net.assign @w, %e after %u : tensor<f32>
    scf.yield %e, %u1 : tensor<f32>, !net.u
  } else {
    %w, %u2 = net.read @w after %u : tensor<f32>
    %p = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %p, %u2 : tensor<f32>, !net.u
  }
  return %0#0, %0#1 : tensor<f32>, !net.u
}

// -----

// A loop with a count keeps its states on a tape, whose slots are fewer than its steps may be, and becomes a loop in the other
// direction, in which the last step of each window computes the window's states from the latest one that was kept.

// CHECK-LABEL: func.func @counted(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>, %[[N:.*]]: index)
// CHECK:         %[[T:.*]] = tensor.empty() : tensor<1025xf32>
// CHECK:         %[[F:.*]]:3 = scf.for {{.*}} iter_args(%[[S:.*]] = %[[X]], %[[TAPE:.*]] = %[[T]], %[[STRIDE:.*]] = %{{.*}})
// CHECK:           scf.while
// CHECK:           %[[SLOT:.*]] = arith.select %{{.*}}, %{{.*}}#0, %{{.*}}
// CHECK:           net.row_update %[[S]] into %[[TAPE]][%[[SLOT]]]
// CHECK:         %[[W:.*]] = tensor.empty() : tensor<65xf32>
// CHECK:         %[[R:.*]]:3 = scf.for %[[K:.*]] = {{.*}} iter_args(%[[DA:.*]] = %{{.*}}, %[[DY:.*]] = %{{.*}}, %[[WINDOW:.*]] = %[[W]])
// CHECK:           %[[ROW:.*]] = net.row %[[F]]#1[%{{.*}}] : (tensor<1025xf32>, index) -> tensor<f32>
// CHECK:           %[[LAST:.*]] = arith.ori
// CHECK:           %[[TO:.*]] = arith.select %[[LAST]], %{{.*}}, %[[KEPT:.*]] : index
// CHECK:           %[[AGAIN:.*]]:2 = scf.for %{{.*}} = %[[KEPT]] to %[[TO]] {{.*}} iter_args(%[[A:.*]] = %[[ROW]], %[[FILLED:.*]] = %[[WINDOW]])
// CHECK:             %[[STORED:.*]] = net.row_update %[[A]] into %[[FILLED]]
// CHECK:             %[[NEXT:.*]] = net.mul %[[A]], %[[Y]]
// CHECK:             scf.yield %[[NEXT]], %[[STORED]]
// CHECK:           %[[FULL:.*]] = net.row_update %[[AGAIN]]#0 into %[[AGAIN]]#1
// CHECK:           %[[STATE:.*]] = net.row %[[FULL]][
// CHECK-DAG:       %[[DA1:.*]] = net.mul %[[DA]], %[[Y]]
// CHECK-DAG:       %[[PART:.*]] = net.mul %[[DA]], %[[STATE]]
// CHECK:           %[[DY1:.*]] = net.add %[[DY]], %[[PART]]
// CHECK:           scf.yield %[[DA1]], %[[DY1]], %[[FULL]]
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @counted(%x: tensor<f32>, %y: tensor<f32>, %n: index) -> (tensor<f32>, tensor<f32>) {
  %0:3 = net.value_and_grad @power(%x, %y, %n) {argnums = [0, 1]} : (tensor<f32>, tensor<f32>, index) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %0#1, %0#2 : tensor<f32>, tensor<f32>
}
func.func private @power(%x: tensor<f32>, %y: tensor<f32>, %n: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<f32>) {
    %b = net.mul %a, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// A loop of a known number of steps keeps all states. A row that a step reads gets its adjoint in its own place.

// CHECK-LABEL: func.func @known(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[R:.*]]: tensor<20xf32>)
// CHECK:         %[[T:.*]] = tensor.empty() : tensor<20xf32>
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%[[S:.*]] = %[[X]], %[[TAPE:.*]] = %[[T]])
// CHECK:           net.row_update %[[S]] into %[[TAPE]][%{{.*}}]
// CHECK:         scf.for %{{.*}} iter_args(%[[DS:.*]] = %{{.*}}, %[[DR:.*]] = %{{.*}})
// CHECK:           %[[STATE:.*]] = net.row %{{.*}} : (tensor<20xf32>, index) -> tensor<f32>
// CHECK-NOT:       scf.for
// CHECK:           %[[D:.*]] = net.mul %[[DS]], %[[STATE]]
// CHECK:           %[[OLD:.*]] = net.row %[[DR]][%[[AT:.*]]]
// CHECK:           %[[NEW:.*]] = net.add %[[OLD]], %[[D]]
// CHECK:           net.row_update %[[NEW]] into %[[DR]][%[[AT]]]
func.func @known(%x: tensor<f32>, %rows: tensor<20xf32>) -> tensor<20xf32> {
  %0:2 = net.value_and_grad @product(%x, %rows) {argnums = [1]} : (tensor<f32>, tensor<20xf32>) -> (tensor<f32>, tensor<20xf32>)
  return %0#1 : tensor<20xf32>
}
func.func private @product(%x: tensor<f32>, %rows: tensor<20xf32>) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 20 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<f32>) {
    %j = arith.index_cast %i : index to i64
    %at = tensor.from_elements %j : tensor<i64>
    %row = net.gather %rows, %at axis 0 wrap : (tensor<20xf32>, tensor<i64>) -> tensor<f32>
    %b = net.mul %a, %row : (tensor<f32>, tensor<f32>) -> tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// So does one of another axis, also of one counted from the end.

// CHECK-LABEL: func.func @column(
// CHECK:         scf.for %{{.*}} iter_args(%[[DS:.*]] = %{{.*}}, %[[DX:.*]] = %{{.*}})
// CHECK:           %[[OLD:.*]] = net.row %[[DX]][%[[AT:.*]]] {axis = 1 : i64}
// CHECK:           %[[NEW:.*]] = net.add %[[OLD]]
// CHECK:           net.row_update %[[NEW]] into %[[DX]][%[[AT]]] {axis = 1 : i64}
func.func @column(%x: tensor<3x20xf32>, %s: tensor<3xf32>) -> tensor<3x20xf32> {
  %0:2 = net.value_and_grad @sum(%x, %s) {argnums = [0]} : (tensor<3x20xf32>, tensor<3xf32>) -> (tensor<f32>, tensor<3x20xf32>)
  return %0#1 : tensor<3x20xf32>
}
func.func private @sum(%x: tensor<3x20xf32>, %s: tensor<3xf32>) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 20 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %s) -> (tensor<3xf32>) {
    %j = arith.index_cast %i : index to i64
    %at = tensor.from_elements %j : tensor<i64>
    %column = net.gather %x, %at axis -1 : (tensor<3x20xf32>, tensor<i64>) -> tensor<3xf32>
    %b = net.mul %a, %column : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    scf.yield %b : tensor<3xf32>
  }
  %y = net.reduce_sum %r over [0] : (tensor<3xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// What steps only write rows of takes no memory on the tape: there are as many slots as there is room for the rest.

// CHECK-LABEL: func.func @written(
// CHECK-DAG:     tensor.empty() : tensor<1025x100000xf32>
// CHECK-DAG:     tensor.empty() : tensor<1025xf32>
func.func @written(%x: tensor<f32>, %n: index) -> tensor<f32> {
  %0:2 = net.value_and_grad @rows(%x, %n) {argnums = [0]} : (tensor<f32>, index) -> (tensor<100000xf32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @rows(%x: tensor<f32>, %n: index) -> tensor<100000xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %zeros = net.constant dense<0.0> : tensor<100000xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %rows = %zeros) -> (tensor<f32>, tensor<100000xf32>) {
    %b = net.exp %a : tensor<f32>
    %more = net.row_update %b into %rows[%i] : (tensor<f32>, tensor<100000xf32>, index) -> tensor<100000xf32>
    scf.yield %b, %more : tensor<f32>, tensor<100000xf32>
  }
  return %r#1 : tensor<100000xf32>
}

// -----

// A loop with a condition counts its steps forward; the reverse then knows how many to take.

// CHECK-LABEL: func.func @until(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[LIMIT:.*]]: tensor<f32>)
// CHECK:         %[[F:.*]]:5 = scf.while (%{{.*}} = %[[X]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<f32>, index, tensor<1025xf32>, index)
// CHECK:         } do {
// CHECK:           net.row_update
// CHECK:         %[[R:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[F]]#2 {{.*}} -> (tensor<f32>, tensor<65xf32>) {
// CHECK:           %[[ROW:.*]] = net.row %[[F]]#3
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[ROW]]
// CHECK:           %[[STATE:.*]] = net.row %{{.*}} : (tensor<65xf32>, index) -> tensor<f32>
// CHECK:           net.exp %[[STATE]]
// CHECK:         return %[[R]]#0
func.func @until(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @grow(%x, %limit) {argnums = [0]} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @grow(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %less = net.less %a, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = tensor.extract %less[] : tensor<i1>
    scf.condition(%c) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %b = net.exp %a : tensor<f32>
    scf.yield %b : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// A branch in a branch: the inner condition is saved like any other value that the reverse needs. Where the outer branch
// did not run, it is a constant that nobody looks at.

// CHECK-LABEL: func.func @nested_branch(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<f32>)
// CHECK:         %[[F:.*]]:3 = scf.if %[[C]] -> (tensor<f32>, tensor<f32>, i1) {
// CHECK:           %[[D:.*]] = tensor.extract
// CHECK:           %[[I:.*]]:2 = scf.if %[[D]]
// CHECK:           scf.yield %[[I]]#0, %[[I]]#1, %[[D]]
// CHECK:         } else {
// CHECK:           %[[FALSE:.*]] = arith.constant false
// CHECK:           scf.yield %[[X]], %{{.*}}, %[[FALSE]]
// CHECK:         }
// CHECK:         scf.if %[[C]] -> (tensor<f32>) {
// CHECK:           scf.if %[[F]]#2 -> (tensor<f32>) {
func.func @nested_branch(%c: i1, %x: tensor<f32>) -> tensor<f32> {
  %0:2 = net.value_and_grad @inner(%c, %x) {argnums = [1]} : (i1, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
func.func private @inner(%c: i1, %x: tensor<f32>) -> tensor<f32> {
  %0 = scf.if %c -> tensor<f32> {
    %s = net.square %x : tensor<f32>
    %t = net.less %s, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %d = tensor.extract %t[] : tensor<i1>
    %r = scf.if %d -> tensor<f32> {
      %e = net.exp %x : tensor<f32>
      scf.yield %e : tensor<f32>
    } else {
      scf.yield %x : tensor<f32>
    }
    scf.yield %r : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A print in a loop happens in the forward loop alone: what the reverse computes again is silent, in branches, too.

// CHECK-LABEL: func.func @talk(
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             net.print "a {}"
// CHECK:         scf.for
// CHECK-NOT:     net.print
// CHECK:         return
func.func @talk(%x: tensor<f32>, %n: index, %c: i1, %io: !net.io) -> (tensor<f32>, !net.io) {
  %0:3 = net.value_and_grad @talks(%x, %n, %c, %io) {argnums = [0]} : (tensor<f32>, index, i1, !net.io) -> (tensor<f32>, !net.io, tensor<f32>)
  return %0#2, %0#1 : tensor<f32>, !net.io
}
func.func private @talks(%x: tensor<f32>, %n: index, %c: i1, %io: !net.io) -> (tensor<f32>, !net.io) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %t = %io) -> (tensor<f32>, !net.io) {
    %t2 = scf.if %c -> !net.io {
      %t1 = net.print "a {}"(%a) after %t : tensor<f32>
      scf.yield %t1 : !net.io
    } else {
      scf.yield %t : !net.io
    }
    %b = net.exp %a : tensor<f32>
    scf.yield %b, %t2 : tensor<f32>, !net.io
  }
  return %r#0, %r#1 : tensor<f32>, !net.io
}

// -----

// A loop in a branch carries the state that it is behind: the reverse of the branch has it from the forward one, and none from the other.

// CHECK-LABEL: func.func @loop_in_branch(
// CHECK-NOT:     net.value_and_grad
// CHECK:         scf.if {{.*}} !net.u
// CHECK:           net.read @w
// CHECK:           scf.while
// CHECK:         } else {
// CHECK:           net.token : !net.u
net.parameter @w : tensor<f32> = dense<2.0> : tensor<f32>
func.func @loop_in_branch(%x: tensor<f32>, %c: i1, %u: !net.u) -> (tensor<f32>, !net.u) {
  %0:3 = net.value_and_grad @powers(%x, %c, %u) {argnums = [0]} : (tensor<f32>, i1, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  return %0#2, %0#1 : tensor<f32>, !net.u
}
func.func private @powers(%x: tensor<f32>, %c: i1, %u: !net.u) -> (tensor<f32>, !net.u) {
  %limit = net.constant dense<9.0> : tensor<f32>
  %0:2 = scf.if %c -> (tensor<f32>, !net.u) {
    %w, %v = net.read @w after %u : tensor<f32>
    %1:2 = scf.while (%a = %x, %t = %v) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u) {
      %less = net.less %a, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %goes = tensor.extract %less[] : tensor<i1>
      scf.condition(%goes) %a, %t : tensor<f32>, !net.u
    } do {
    ^bb0(%a: tensor<f32>, %t: !net.u):
      %b = net.mul %a, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %b, %t : tensor<f32>, !net.u
    }
    scf.yield %1#0, %1#1 : tensor<f32>, !net.u
  } else {
    scf.yield %x, %u : tensor<f32>, !net.u
  }
  return %0#0, %0#1 : tensor<f32>, !net.u
}

// -----

// Beside the states, a loop of a known number of steps keeps what takes many operations to compute, here the products.
// A gathered gradient is not kept: it is larger than what it is made of.

// CHECK-LABEL: func.func @products(
// CHECK:         %[[F:.*]]:6 = scf.for
// CHECK:           %[[A:.*]] = net.matmul
// CHECK:           %[[B:.*]] = net.matmul
// CHECK:           net.gather_grad
// CHECK:           %[[TAPE:.*]] = net.row_update %[[A]] into
// CHECK-NEXT:      %[[OTHER:.*]] = net.row_update %[[B]] into
// CHECK-NEXT:      scf.yield {{.*}}, %[[TAPE]], %[[OTHER]] :
// CHECK:         scf.for
// CHECK:           %[[KEPT:.*]] = net.row %[[F]]#4[%{{.*}}] : (tensor<20x2x4xf32>, index) -> tensor<2x4xf32>
// CHECK:           net.tanh %[[KEPT]]
func.func @products(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %i: tensor<2xi32>) -> tensor<2x4xf32> {
  %0:2 = net.value_and_grad @recurrent(%x, %w, %i) {argnums = [0]} : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  return %0#1 : tensor<2x4xf32>
}
func.func private @recurrent(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %i: tensor<2xi32>) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 20 : index
  %table = net.constant dense<0.0> : tensor<100x4xf32>
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%a = %x, %t = %table) -> (tensor<2x4xf32>, tensor<100x4xf32>) {
    %p = net.matmul %a, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %b = net.tanh %p : tensor<2x4xf32>
    %q = net.matmul %b, %w {transpose_b = true} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %rows = net.gather_grad %q, %i into [100, 4] axis 0 : (tensor<2x4xf32>, tensor<2xi32>) -> tensor<100x4xf32>
    %sum = net.add %t, %rows : (tensor<100x4xf32>, tensor<100x4xf32>) -> tensor<100x4xf32>
    scf.yield %q, %sum : tensor<2x4xf32>, tensor<100x4xf32>
  }
  %y = net.reduce_sum %r#0 over [] : (tensor<2x4xf32>) -> tensor<f32>
  %z = net.reduce_sum %r#1 over [] : (tensor<100x4xf32>) -> tensor<f32>
  %s = net.add %y, %z : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
