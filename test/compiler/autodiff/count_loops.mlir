// RUN: plumb-opt %s --split-input-file --plumb-count-loops --canonicalize | FileCheck %s

// Ends that are known: ceil((10 - 1) / 3) steps; the number is 1, 4, 7 in them, and 10 behind them.

// CHECK-LABEL: func.func @known(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : index
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %[[ZERO]] to %[[THREE]] step %[[ONE]] iter_args(%[[A:.*]] = %[[X]]) -> (tensor<f32>) {
// CHECK-NEXT:      %[[WAY:.*]] = arith.muli %[[I]], %[[THREE]] : index
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %[[WAY]], %[[ONE]] : index
// CHECK-NEXT:      %[[NUMBER:.*]] = arith.index_cast %[[SUM]] : index to i32
// CHECK-NEXT:      %[[T:.*]] = tensor.from_elements %[[NUMBER]] : tensor<i32>
// CHECK-NEXT:      %[[F:.*]] = net.cast %[[T]] to f32
// CHECK-NEXT:      %[[B:.*]] = net.mul %[[A]], %[[F]]
// CHECK-NEXT:      scf.yield %[[B]]
// CHECK:         return %{{.*}}, %[[R]]
func.func @known(%x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %one = net.fill i32 [] value 1.000000e+00 : tensor<i32>
  %three = net.constant dense<3> : tensor<i32>
  %ten = net.constant dense<10> : tensor<i32>
  %r:2 = scf.while (%a = %x, %t = %one) : (tensor<f32>, tensor<i32>) -> (tensor<i32>, tensor<f32>) {
    %less = net.less %t, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c = tensor.extract %less[] : tensor<i1>
    scf.condition(%c) %t, %a : tensor<i32>, tensor<f32>
  } do {
  ^bb0(%t: tensor<i32>, %a: tensor<f32>):
    %f = net.cast %t to f32 : (tensor<i32>) -> tensor<f32>
    %b = net.mul %a, %f : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %next = net.add %three, %t : (tensor<i32>, tensor<i32>) -> tensor<i32>
    scf.yield %b, %next : tensor<f32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}

// -----

// Downwards, the bound on the left and included: 5, 4, … 0.

// CHECK-LABEL: func.func @down(
// CHECK:         %[[SIX:.*]] = arith.constant 6 : index
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[SIX]]
func.func @down(%x: tensor<f32>) -> tensor<f32> {
  %zero = net.constant dense<0> : tensor<i64>
  %one = net.constant dense<1> : tensor<i64>
  %five = net.constant dense<5> : tensor<i64>
  %r:2 = scf.while (%a = %x, %t = %five) : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>) {
    %goes = net.less_equal %zero, %t : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %a, %t : tensor<f32>, tensor<i64>
  } do {
  ^bb0(%a: tensor<f32>, %t: tensor<i64>):
    %b = net.tanh %a : tensor<f32>
    %next = net.sub %t, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %b, %next : tensor<f32>, tensor<i64>
  }
  return %r#0 : tensor<f32>
}

// -----

// An end that is read at run time.

// CHECK-LABEL: func.func @read(
// CHECK-SAME:    %[[N:.*]]: tensor<i64>
// CHECK:         %[[NUMBER:.*]] = tensor.extract %[[N]][] : tensor<i64>
// CHECK:         %[[END:.*]] = arith.index_cast %[[NUMBER]] : i64 to index
// CHECK:         %[[ANY:.*]] = arith.cmpi sgt, %[[END]], %[[ZERO:.*]] : index
// CHECK:         %[[COUNT:.*]] = arith.select %[[ANY]], %[[END]], %[[ZERO]]
// CHECK:         scf.for %{{.*}} = %[[ZERO]] to %[[COUNT]]
func.func @read(%n: tensor<i64>, %x: tensor<f32>) -> tensor<f32> {
  %zero = net.constant dense<0> : tensor<i64>
  %one = net.constant dense<1> : tensor<i64>
  %r:2 = scf.while (%a = %x, %t = %zero) : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>) {
    %goes = net.less %t, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %a, %t : tensor<f32>, tensor<i64>
  } do {
  ^bb0(%a: tensor<f32>, %t: tensor<i64>):
    %b = net.tanh %a : tensor<f32>
    %next = net.add %t, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %b, %next : tensor<f32>, tensor<i64>
  }
  return %r#0 : tensor<f32>
}

// -----

// The condition passes on what it does not carry: a value from outside, and one that it computes, which the steps
// compute from what they carry, and the last state once more.

// CHECK-LABEL: func.func @passes(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (tensor<f32>) {
// CHECK:           %[[E:.*]] = net.exp %[[A]]
// CHECK:           %[[SUM:.*]] = net.add %[[E]], %[[Y]]
// CHECK:           scf.yield %[[SUM]]
// CHECK:         %[[LAST:.*]] = net.exp %[[R]]
// CHECK:         return %[[LAST]], %[[Y]]
func.func @passes(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %zero = net.constant dense<0> : tensor<i64>
  %one = net.constant dense<1> : tensor<i64>
  %ten = net.constant dense<10> : tensor<i64>
  %r:3 = scf.while (%a = %x, %b = %y, %t = %zero) : (tensor<f32>, tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<f32>, tensor<i64>) {
    %less = net.less %t, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %c = tensor.extract %less[] : tensor<i1>
    %e = net.exp %a : tensor<f32>
    scf.condition(%c) %e, %y, %t : tensor<f32>, tensor<f32>, tensor<i64>
  } do {
  ^bb0(%e: tensor<f32>, %b: tensor<f32>, %t: tensor<i64>):
    %sum = net.add %e, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %next = net.add %t, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    scf.yield %sum, %b, %next : tensor<f32>, tensor<f32>, tensor<i64>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
