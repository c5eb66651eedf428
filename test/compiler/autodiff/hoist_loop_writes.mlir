// RUN: plumb-opt %s --plumb-hoist-loop-writes | FileCheck %s

net.parameter @w : tensor<f32> = dense<1.0> : tensor<f32>

// CHECK-LABEL: func.func private @for(
// CHECK-SAME:    %{{.*}}, %[[U:[a-z0-9]+]]: !net.u)
// CHECK:         %[[W:.*]], %[[U1:.*]] = net.read @w after %[[U]]
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[UI:.*]] = %[[U1]], %[[WI:.*]] = %[[W]])
// CHECK-NEXT:      %[[READ:.*]] = net.straight_through %[[WI]], %[[W]]
// CHECK-NEXT:      %[[Y:.*]] = net.mul %[[X]], %[[READ]]
// CHECK-NEXT:      scf.yield %[[Y]], %[[UI]], %[[Y]]
// CHECK:         %[[LAST:.*]] = net.assign @w, %[[R]]#2 after %[[R]]#1
// CHECK:         return %[[R]]#0, %[[LAST]]
func.func private @for(%x0: tensor<f32>, %a: index, %u0: !net.u) -> (tensor<f32>, !net.u) {
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %one to %a step %one iter_args(%x = %x0, %u = %u0) -> (tensor<f32>, !net.u) {
    %w, %u1 = net.read @w after %u : tensor<f32>
    %y = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %u2 = net.assign @w, %y after %u1 : tensor<f32>
    scf.yield %y, %u2 : tensor<f32>, !net.u
  }
  return %r#0, %r#1 : tensor<f32>, !net.u
}

// A branch of a while loop, whose condition reads, too.
// CHECK-LABEL: func.func private @while(
// CHECK:         %[[FIRST:.*]], %{{.*}} = net.read @w
// CHECK-NEXT:    %[[R:.*]]:2 = scf.while
// CHECK:           %[[C:.*]] = net.straight_through %[[W:[a-z0-9]+]], %[[FIRST]]
// CHECK:           net.less %[[C]], %
// CHECK:           scf.condition({{.*}}) %{{.*}}, %[[W]]
// CHECK:           %[[IF:.*]]:2 = scf.if
// CHECK:             %[[P:.*]] = net.straight_through %[[V:[a-z0-9]+]], %[[FIRST]]
// CHECK-NEXT:        %[[S:.*]] = net.square %[[P]]
// CHECK-NEXT:        scf.yield %[[T:.*]], %[[S]] :
// CHECK:           else
// CHECK-NEXT:        scf.yield %[[T]], %[[V]] :
// CHECK:           scf.yield %[[IF]]#0, %[[IF]]#1
// CHECK:         net.assign @w, %[[R]]#1 after %[[R]]#0
func.func private @while(%limit: tensor<f32>, %c: i1, %u0: !net.u) -> !net.u {
  %u1 = scf.while (%u = %u0) : (!net.u) -> !net.u {
    %w, %v = net.read @w after %u : tensor<f32>
    %less = net.less %w, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %goes = tensor.extract %less[] : tensor<i1>
    scf.condition(%goes) %v : !net.u
  } do {
  ^bb0(%u: !net.u):
    %v = scf.if %c -> !net.u {
      %w, %v0 = net.read @w after %u : tensor<f32>
      %y = net.square %w : tensor<f32>
      %v1 = net.assign @w, %y after %v0 : tensor<f32>
      scf.yield %v1 : !net.u
    } else {
      scf.yield %u : !net.u
    }
    scf.yield %v : !net.u
  }
  return %u1 : !net.u
}

// CHECK-LABEL: func.func @step(
func.func @step(%x: tensor<f32>, %a: index, %c: i1, %u: !net.u) -> (tensor<f32>, !net.u) {
  %0:3 = net.value_and_grad @for(%x, %a, %u) {argnums = [0]} : (tensor<f32>, index, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
  %1 = net.value_and_grad @while(%x, %c, %0#1) : (tensor<f32>, i1, !net.u) -> !net.u
  return %0#2, %1 : tensor<f32>, !net.u
}

// What is not differentiated writes in place.
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      net.assign
func.func @plain(%x: tensor<f32>, %a: index, %u0: !net.u) -> !net.u {
  %r = scf.for %i = %a to %a step %a iter_args(%u = %u0) -> !net.u {
    %u1 = net.assign @w, %x after %u : tensor<f32>
    scf.yield %u1 : !net.u
  }
  return %r : !net.u
}
