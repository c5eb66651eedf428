// RUN: plumb-opt %s --plumb-remove-redundant-reads --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-remove-redundant-reads=forward-writes=false --split-input-file | FileCheck %s --check-prefix=READS

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>
net.parameter @v : tensor<f32> = dense<0.0> : tensor<f32>

// One read per value; a read behind a write is what was written, or stays.

// CHECK-LABEL: func.func @reads(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK:         %[[A:.*]], %[[U1:.*]] = net.read @w after %[[U]] : tensor<f32>
// CHECK-NOT:     net.read
// CHECK:         %[[U2:.*]] = net.assign @w, %[[X]] after %[[U1]] : tensor<f32>
// CHECK-NOT:     net.read
// CHECK:         return %[[A]], %[[A]], %[[X]], %[[U2]]
// READS-LABEL: func.func @reads(
// READS:         %[[A:.*]], %[[U1:.*]] = net.read @w
// READS-NEXT:    %[[U2:.*]] = net.assign @w, %{{.*}} after %[[U1]]
// READS-NEXT:    %[[C:.*]], %[[U3:.*]] = net.read @w after %[[U2]]
// READS-NEXT:    return %[[A]], %[[A]], %[[C]], %[[U3]]
func.func @reads(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, tensor<f32>, !net.u) {
  %a, %u1 = net.read @w after %u : tensor<f32>
  %b, %u2 = net.read @w after %u1 : tensor<f32>
  %u3 = net.assign @w, %x after %u2 : tensor<f32>
  %c, %u4 = net.read @w after %u3 : tensor<f32>
  return %a, %b, %c, %u4 : tensor<f32>, tensor<f32>, tensor<f32>, !net.u
}

// A write that nothing sees goes, one that a read sees in between stays; unused reads go, other parameters do not count.

// CHECK-LABEL: func.func @writes(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK-NEXT:    %[[U1:.*]] = net.assign @v, %[[X]] after %[[U]] : tensor<f32>
// CHECK-NEXT:    %[[U2:.*]] = net.assign @w, %[[Y]] after %[[U1]] : tensor<f32>
// CHECK-NEXT:    return %[[U2]]
func.func @writes(%x: tensor<f32>, %y: tensor<f32>, %u: !net.u) -> !net.u {
  %u1 = net.assign @w, %x after %u : tensor<f32>
  %u2 = net.assign @v, %x after %u1 : tensor<f32>
  %unused, %u3 = net.read @v after %u2 : tensor<f32>
  %u4 = net.assign @w, %y after %u3 : tensor<f32>
  return %u4 : !net.u
}

// A branch knows what was known before it. Behind it, what it may have written is unknown, the rest is not.

// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %[[C:.*]]: i1, %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK:         %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK:         %[[V:.*]], %[[U2:.*]] = net.read @v after %[[U1]]
// CHECK:         %[[R:.*]]:2 = scf.if
// CHECK-NOT:       net.read
// CHECK:           %[[U3:.*]] = net.assign @w, %[[X]] after %[[U2]]
// CHECK:           scf.yield %[[W]], %[[U3]]
// CHECK:         %[[W1:.*]], %[[U4:.*]] = net.read @w after %[[R]]#1
// CHECK:         return %[[W1]], %[[V]], %[[W]], %[[R]]#0, %[[U4]]
func.func @branch(%c: i1, %x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %v, %u2 = net.read @v after %u1 : tensor<f32>
  %r:2 = scf.if %c -> (tensor<f32>, !net.u) {
    %again, %u3 = net.read @w after %u2 : tensor<f32>
    %u4 = net.assign @w, %x after %u3 : tensor<f32>
    scf.yield %again, %u4 : tensor<f32>, !net.u
  } else {
    scf.yield %x, %u2 : tensor<f32>, !net.u
  }
  %w1, %u5 = net.read @w after %r#1 : tensor<f32>
  %v1, %u6 = net.read @v after %u5 : tensor<f32>
  return %w1, %v1, %w, %r#0, %u6 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, !net.u
}

// A loop that writes a parameter must read it in every step.

// CHECK-LABEL: func.func @loop(
// CHECK:         net.read @w
// CHECK:         scf.for
// CHECK:           net.read @w
// CHECK:           net.assign @w
func.func @loop(%a: index, %b: index, %s: index, %u: !net.u) -> (tensor<f32>, !net.u) {
  %w, %u1 = net.read @w after %u : tensor<f32>
  %r = scf.for %i = %a to %b step %s iter_args(%ui = %u1) -> (!net.u) {
    %again, %u2 = net.read @w after %ui : tensor<f32>
    %y = net.add %again, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %u3 = net.assign @w, %y after %u2 : tensor<f32>
    scf.yield %u3 : !net.u
  }
  return %w, %r : tensor<f32>, !net.u
}

// A call may write anything.

// CHECK-LABEL: func.func @call(
// CHECK:         net.read @w
// CHECK:         call @writes
// CHECK:         net.read @w
func.func @call(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, tensor<f32>, !net.u) {
  %a, %u1 = net.read @w after %u : tensor<f32>
  %u2 = call @writes(%x, %a, %u1) : (tensor<f32>, tensor<f32>, !net.u) -> !net.u
  %b, %u3 = net.read @w after %u2 : tensor<f32>
  return %a, %b, %u3 : tensor<f32>, tensor<f32>, !net.u
}

// net.depend asked for an order that the tokens give.

// CHECK-LABEL: func.func @depend(
// CHECK-SAME:    %[[X:.*]]: tensor<f32>, %[[U:.*]]: !net.u)
// CHECK-NEXT:    %[[U1:.*]] = net.assign @w, %[[X]] after %[[U]]
// CHECK-NEXT:    return %[[X]], %[[U1]]
func.func @depend(%x: tensor<f32>, %u: !net.u) -> (tensor<f32>, !net.u) {
  %u1 = net.assign @w, %x after %u : tensor<f32>
  %y = net.depend %x, %u1 : tensor<f32>, !net.u
  return %y, %u1 : tensor<f32>, !net.u
}
