// RUN: plumb-opt %s --plumb-wrap-asserted-effects --split-input-file | FileCheck %s

// Behind an assertion that fails, variables keep their values and nothing is printed; no other assertion fails.

// CHECK-LABEL: device.loop @straight
// CHECK: %[[IN:.*]]:2 = device.get_next
// CHECK: device.write @w, %[[IN]]#1
// CHECK: %[[FAILED:.*]] = net.not_equal %[[IN]]#0
// CHECK: check.assert %[[IN]]#0, "ValueError: first"
// CHECK: %[[OLD:.*]] = device.read @w
// CHECK: %[[NEW:.*]] = net.select %[[FAILED]], %[[OLD]], %[[IN]]#1
// CHECK: device.write @w, %[[NEW]]
// CHECK: %[[HOLDS:.*]] = net.logical_not %[[FAILED]]
// CHECK: %[[CONDITION:.*]] = tensor.extract %[[HOLDS]][]
// CHECK: scf.if %[[CONDITION]] {
// CHECK-NEXT: device.print
// CHECK: %[[SECOND:.*]] = net.select %[[FAILED]], %{{.*}}, %[[IN]]#0
// CHECK: check.assert %[[SECOND]], "ValueError: second"
device.module @program {
  device.variable @w : tensor<f32> = dense<0.0> : tensor<f32>
  device.queue @q columns ["n", "x"] (tensor<i32>, tensor<f32>) depth(4)
  device.loop @straight {mode = "train"} {
    %n, %x = device.get_next @q : tensor<i32>, tensor<f32>
    device.write @w, %x : tensor<f32>
    check.assert %n, "ValueError: first" at_once : tensor<i32>
    device.write @w, %x : tensor<f32>
    device.print ["behind"] () as () {}
    check.assert %n, "ValueError: second" at_once : tensor<i32>
    device.yield
  }
}

// -----

// Others run to the end of the step.

// CHECK-LABEL: device.loop @others
// CHECK-NOT: net.select
device.module @program {
  device.variable @w : tensor<f32> = dense<0.0> : tensor<f32>
  device.queue @q columns ["n", "x"] (tensor<i32>, tensor<f32>) depth(4)
  device.loop @others {mode = "train"} {
    %n, %x = device.get_next @q : tensor<i32>, tensor<f32>
    check.assert %n, "RuntimeError: {}" : tensor<i32>
    device.write @w, %x : tensor<f32>
    device.yield
  }
}

// -----

// A branch says whether it has failed.

// CHECK-LABEL: device.loop @branch
// CHECK: %[[FAILED:.*]] = scf.if %{{.*}} -> (tensor<i1>) {
// CHECK: %[[INSIDE:.*]] = net.not_equal
// CHECK-NEXT: check.assert
// CHECK: scf.yield %[[INSIDE]]
// CHECK: } else {
// CHECK: %[[FALSE:.*]] = net.constant dense<false>
// CHECK-NEXT: scf.yield %[[FALSE]]
// CHECK: net.select %[[FAILED]]
device.module @program {
  device.variable @w : tensor<f32> = dense<0.0> : tensor<f32>
  device.queue @q columns ["c", "x"] (tensor<i1>, tensor<f32>) depth(4)
  device.loop @branch {mode = "train"} {
    %c, %x = device.get_next @q : tensor<i1>, tensor<f32>
    %condition = tensor.extract %c[] : tensor<i1>
    scf.if %condition {
      %one = net.constant dense<1> : tensor<i32>
      check.assert %one, "ValueError: no" at_once : tensor<i32>
    }
    device.write @w, %x : tensor<f32>
    device.yield
  }
}

// -----

// A loop with an assertion inside ends, and so does one behind an assertion.

// CHECK-LABEL: device.loop @loops
// CHECK: %[[FIRST:.*]]:2 = scf.while (%[[I:.*]] = %{{.*}}, %[[BEFORE:.*]] = %{{.*}})
// CHECK: %[[NOT:.*]] = net.logical_not %[[BEFORE]]
// CHECK: %[[GOES:.*]] = tensor.extract %[[NOT]]
// CHECK: %[[ON:.*]] = arith.andi %{{.*}}, %[[GOES]]
// CHECK: scf.condition(%[[ON]]) %[[I]], %[[BEFORE]]
// CHECK: } do {
// CHECK: %[[FAILS:.*]] = net.not_equal
// CHECK-NEXT: check.assert
// CHECK: scf.yield %{{.*}}, %[[FAILS]]
// CHECK: scf.while
// CHECK: %[[NOT:.*]] = net.logical_not %[[FIRST]]#1
// CHECK: arith.andi
device.module @program {
  device.queue @q columns ["n"] (tensor<i32>) depth(4)
  device.loop @loops {mode = "train"} {
    %n = device.get_next @q : tensor<i32>
    %r = scf.while (%i = %n) : (tensor<i32>) -> tensor<i32> {
      %ten = net.constant dense<10> : tensor<i32>
      %less = net.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c = tensor.extract %less[] : tensor<i1>
      scf.condition(%c) %i : tensor<i32>
    } do {
    ^bb0(%i: tensor<i32>):
      check.assert %i, "ValueError: no" at_once : tensor<i32>
      scf.yield %i : tensor<i32>
    }
    %s = scf.while (%i = %r) : (tensor<i32>) -> tensor<i32> {
      %ten = net.constant dense<10> : tensor<i32>
      %less = net.less %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c = tensor.extract %less[] : tensor<i1>
      scf.condition(%c) %i : tensor<i32>
    } do {
    ^bb0(%i: tensor<i32>):
      scf.yield %i : tensor<i32>
    }
    device.yield
  }
}
