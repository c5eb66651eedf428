// RUN: plumb-opt %s --plumb-annotate-column-ranges --plumb-insert-index-checks | FileCheck %s

// CHECK-LABEL: device.module @computed
// CHECK: device.report @taken : tensor
// A name that is taken gets a number.
// CHECK: device.report @check : tensor<f32>
// CHECK: device.report @check_0 : tensor<i32> {device.range = {highest = 4 : i64, lowest = 0 : i64, use = "indices along axis 0 of a tensor of shape (5, 3) at net.py:7:3"}}
// CHECK: device.report @check_1 : tensor<i32> {device.range = {highest = 4 : i64, lowest = 0 : i64, use = "indices along axis 0 of a tensor of shape (5, 3) at net.py:7:3"}}
// CHECK: device.loop
// CHECK: %[[I:.*]] = net.add
// CHECK: %[[MIN:.*]] = net.reduce_min %[[I]] over [0]
// CHECK: %[[MAX:.*]] = net.reduce_max %[[I]] over [0]
// CHECK-NEXT: net.gather
// The gradient's scatter by the same indices is not checked again.
// CHECK-NEXT: net.gather_grad
// CHECK: device.emit @check_0, %[[MIN]] : tensor<i32>
// CHECK: %[[LOWEST:.*]] = net.constant dense<0> : tensor<i32>
// CHECK: %[[OK:.*]] = net.greater_equal %[[MIN]], %[[LOWEST]]
// CHECK: device.continue_if %[[OK]] : tensor<i1>
// CHECK: device.emit @check_1, %[[MAX]] : tensor<i32>
// CHECK: %[[HIGHEST:.*]] = net.constant dense<4> : tensor<i32>
// CHECK: %[[OK:.*]] = net.less_equal %[[MAX]], %[[HIGHEST]]
// CHECK: device.continue_if %[[OK]] : tensor<i1>
// CHECK-NEXT: device.yield
device.module @computed {
  device.variable @table : tensor<5x3xf32> = dense<0.0> : tensor<5x3xf32>
  device.queue @loop columns ["i"] (tensor<2xi32>) depth(4)
  device.report @taken : tensor<2x3xf32>
  device.report @check : tensor<f32>
  device.report @grad : tensor<5x3xf32>
  device.loop @loop {mode = "train"} {
    %i = device.get_next @loop : tensor<2xi32>
    %t = device.read @table : tensor<5x3xf32>
    %two = net.add %i, %i : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %y = net.gather %t, %two axis 0 : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32> loc(callsite("/x/plumb/nn/layer/embedding.py":20:5 at callsite("net.py":7:3 at "main.py":1:1)))
    %g = net.gather_grad %y, %two into [5, 3] axis 0 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<5x3xf32>
    device.emit @taken, %y : tensor<2x3xf32>
    device.emit @grad, %g : tensor<5x3xf32>
    device.yield
  }
}

// What is in range by how it was computed costs nothing: columns that the host checks, constants, positions, bounds, remainders.
// CHECK-LABEL: device.module @proven
// CHECK-NOT: device.range =
// CHECK-NOT: device.continue_if
// CHECK: device.yield
device.module @proven {
  device.variable @table : tensor<6x3xf32> = dense<0.0> : tensor<6x3xf32>
  device.queue @loop columns ["i", "x", "j"] (tensor<2xi32>, tensor<2x6xf32>, tensor<2xi32>) depth(4)
  device.report @sum : tensor<2x3xf32>
  device.loop @loop {mode = "train"} {
    %i, %x, %j = device.get_next @loop : tensor<2xi32>, tensor<2x6xf32>, tensor<2xi32>
    %t = device.read @table : tensor<6x3xf32>
    %cut = net.slice %t from [0, 0] to [5, 3] by [1, 1] : (tensor<6x3xf32>) -> tensor<5x3xf32>
    %a = net.gather %cut, %i axis 0 : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    // The host sees to 0 … 4.
    %one = net.constant dense<1> : tensor<i32>
    %next = net.add %i, %one : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %b = net.gather %t, %next axis 0 : (tensor<6x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    %best = net.argmax %x axis -1 : (tensor<2x6xf32>) -> tensor<2xi32>
    %wide = net.cast %best to i64 : (tensor<2xi32>) -> tensor<2xi64>
    %c = net.gather %t, %wide axis 0 : (tensor<6x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
    %minus = net.constant dense<-6> : tensor<i32>
    %five = net.constant dense<5> : tensor<i32>
    %low = net.maximum %j, %minus : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %bound = net.minimum %low, %five : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %d = net.gather %t, %bound axis 0 wrap : (tensor<6x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    %six = net.constant dense<6> : tensor<i32>
    %rest = net.mod %j, %six : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %e = net.gather %t, %rest axis 0 : (tensor<6x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    %constants = net.constant dense<[5, 0]> : tensor<2xi8>
    %f = net.gather %t, %constants axis 0 : (tensor<6x3xf32>, tensor<2xi8>) -> tensor<2x3xf32>
    %p = net.add %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %q = net.add %c, %d : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %r = net.add %e, %f : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %s = net.add %p, %q : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %u = net.add %r, %s : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    device.emit @sum, %u : tensor<2x3xf32>
    device.yield
  }
}

// Only the side that may be crossed is checked: no i8 is beyond 127. Classes are, too, by their gradient when the loss is gone.
// CHECK-LABEL: device.module @sides
// CHECK: device.report @check : tensor<i8> {device.range = {highest = 199 : i64, lowest = 0 : i64,
// CHECK: device.report @check_0 : tensor<i32> {device.range = {highest = 3 : i64, lowest = 0 : i64, use = "classes at a.py:3:1"}}
// CHECK-NOT: device.range
// CHECK: net.reduce_min
// CHECK: net.reduce_max
device.module @sides {
  device.variable @table : tensor<200xf32> = dense<0.0> : tensor<200xf32>
  device.variable @scores : tensor<2x4xf32> = dense<0.0> : tensor<2x4xf32>
  device.queue @loop columns ["i", "j"] (tensor<2xi8>, tensor<2xi32>) depth(4)
  device.report @a : tensor<2xf32>
  device.report @b : tensor<2xf32>
  device.report @d : tensor<2x4xf32>
  device.loop @loop {mode = "train"} {
    %i, %j = device.get_next @loop : tensor<2xi8>, tensor<2xi32>
    %t = device.read @table : tensor<200xf32>
    %x = device.read @scores : tensor<2x4xf32>
    %two = net.add %i, %i : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
    %a = net.gather %t, %two axis 0 : (tensor<200xf32>, tensor<2xi8>) -> tensor<2xf32>
    %b = net.gather %t, %two axis 0 wrap : (tensor<200xf32>, tensor<2xi8>) -> tensor<2xf32>
    %least = net.constant dense<0> : tensor<i32>
    %c = net.maximum %j, %least : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    %d = net.sparse_softmax_cross_entropy_grad %x, %c, %a : (tensor<2x4xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2x4xf32> loc("a.py":3:1)
    device.emit @a, %a : tensor<2xf32>
    device.emit @b, %b : tensor<2xf32>
    device.emit @d, %d : tensor<2x4xf32>
    device.yield
  }
}

// In a branch, on the way out of a loop that counts and one that does not.
// CHECK-LABEL: device.module @regions
// CHECK: device.report @check : tensor<i32> {device.range
// CHECK: device.report @check_0 : tensor<i32> {device.range
// CHECK: device.loop
// CHECK: %[[IF:.*]]:3 = scf.if
// CHECK:   %[[MIN:.*]] = net.reduce_min
// CHECK:   %[[MAX:.*]] = net.reduce_max
// CHECK:   scf.yield %{{.*}}, %[[MIN]], %[[MAX]] : tensor<2xf32>, tensor<i32>, tensor<i32>
// CHECK: } else {
// CHECK:   %[[Z:.*]] = net.constant dense<0> : tensor<i32>
// CHECK:   scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<i32>, tensor<i32>
// CHECK: %[[WHILE:.*]]:3 = scf.while
// CHECK:   scf.condition
// CHECK:   net.gather
// CHECK:   net.minimum
// CHECK:   net.maximum
// CHECK: %[[FOR:.*]]:3 = scf.for
// CHECK:   net.minimum
// CHECK:   net.maximum
// CHECK: device.emit @check, %[[IF]]#1
// CHECK: device.emit @check_0, %[[IF]]#2
// CHECK: device.emit @check_1, %[[WHILE]]#1
// CHECK: device.emit @check_3, %[[FOR]]#1
device.module @regions {
  device.variable @table : tensor<5xf32> = dense<0.0> : tensor<5xf32>
  device.queue @loop columns ["i", "c"] (tensor<2xi32>, tensor<i1>) depth(4)
  device.report @sum : tensor<2xf32>
  device.loop @loop {mode = "train"} {
    %i, %c = device.get_next @loop : tensor<2xi32>, tensor<i1>
    %t = device.read @table : tensor<5xf32>
    %zeros = net.constant dense<0.0> : tensor<2xf32>
    %start = net.constant dense<0> : tensor<i32>
    %one = net.constant dense<1> : tensor<i32>
    %limit = net.constant dense<7> : tensor<i32>
    %condition = tensor.extract %c[] : tensor<i1>
    %a = scf.if %condition -> tensor<2xf32> {
      %y = net.gather %t, %i axis 0 : (tensor<5xf32>, tensor<2xi32>) -> tensor<2xf32>
      scf.yield %y : tensor<2xf32>
    } else {
      scf.yield %zeros : tensor<2xf32>
    }
    %n = scf.while (%k = %start) : (tensor<i32>) -> tensor<i32> {
      %less = net.less %k, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %again = tensor.extract %less[] : tensor<i1>
      scf.condition(%again) %k : tensor<i32>
    } do {
    ^bb0(%k: tensor<i32>):
      %y = net.gather %t, %k axis 0 : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      %whole = net.cast %y to i32 : (tensor<f32>) -> tensor<i32>
      %step = net.add %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %next = net.add %step, %whole : (tensor<i32>, tensor<i32>) -> tensor<i32>
      scf.yield %next : tensor<i32>
    }
    %from = arith.constant 0 : index
    %by = arith.constant 1 : index
    %to = arith.constant 4 : index
    %f = scf.for %at = %from to %to step %by iter_args(%sum = %a) -> tensor<2xf32> {
      %j = net.add %i, %n : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
      %y = net.gather %t, %j axis 0 : (tensor<5xf32>, tensor<2xi32>) -> tensor<2xf32>
      %more = net.add %sum, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      scf.yield %more : tensor<2xf32>
    }
    device.emit @sum, %f : tensor<2xf32>
    device.yield
  }
}

// A single index from outside of the branch: what the branch hands out is computed in it, lest it become a select of tensors.
// CHECK-LABEL: device.module @outer
// CHECK: %[[K:.*]] = net.add
// CHECK: scf.if
// CHECK: %[[LEAST:.*]] = net.minimum %[[K]]
// CHECK: %[[GREATEST:.*]] = net.maximum %[[K]]
// CHECK: scf.yield %{{.*}}, %[[LEAST]], %[[GREATEST]] : tensor<f32>, tensor<i32>, tensor<i32>
device.module @outer {
  device.variable @table : tensor<5xf32> = dense<0.0> : tensor<5xf32>
  device.queue @loop columns ["k", "c"] (tensor<i32>, tensor<i1>) depth(4)
  device.report @y : tensor<f32>
  device.loop @loop {mode = "train"} {
    %i, %c = device.get_next @loop : tensor<i32>, tensor<i1>
    %t = device.read @table : tensor<5xf32>
    %zero = net.constant dense<0.0> : tensor<f32>
    %k = net.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %condition = tensor.extract %c[] : tensor<i1>
    %a = scf.if %condition -> tensor<f32> {
      %y = net.gather %t, %k axis 0 : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      scf.yield %y : tensor<f32>
    } else {
      scf.yield %zero : tensor<f32>
    }
    device.emit @y, %a : tensor<f32>
    device.yield
  }
}

// Asserted numbers are zero, or an error in words.
// CHECK-LABEL: device.module @errors
// CHECK: device.report @check{{.*}} : tensor<i32> {device.range = {error = "RuntimeError: 'f' returned {} at {{.*}}", highest = 0 : i64, lowest = 0 : i64
// CHECK: device.report @check{{.*}} : tensor<i32> {device.range = {error = "ValueError: wrong at {{.*}}", highest = 0 : i64, lowest = 0 : i64
// CHECK: %[[IN:.*]]:2 = device.get_next
// CHECK: %[[BAD:.*]] = scf.if
// CHECK-NOT: check.assert
// CHECK: device.emit @check{{.*}}, %[[IN]]#0 : tensor<i32>
// CHECK: device.continue_if
// CHECK: device.continue_if
// CHECK: device.emit @check{{.*}}, %[[BAD]] : tensor<i32>
device.module @errors {
  device.queue @loop columns ["n", "c"] (tensor<i32>, tensor<i1>) depth(4)
  device.loop @loop {mode = "train"} {
    %n, %c = device.get_next @loop : tensor<i32>, tensor<i1>
    check.assert %n, "RuntimeError: 'f' returned {}" : tensor<i32>
    %condition = tensor.extract %c[] : tensor<i1>
    scf.if %condition {
      %one = net.constant dense<1> : tensor<i32>
      check.assert %one, "ValueError: wrong" : tensor<i32>
    }
    device.yield
  }
}

// A text with values is printed where its assertion fails, for the host.
// CHECK-LABEL: device.module @values
// CHECK: %[[IN:.*]]:2 = device.get_next
// CHECK: %[[FAILS:.*]] = net.not_equal %[[IN]]#0
// CHECK: %[[CONDITION:.*]] = tensor.extract %[[FAILS]][]
// CHECK: scf.if %[[CONDITION]] {
// CHECK-NEXT: device.print ["ValueError: {", "} is ", " at {{.*}}"](%[[IN]]#1, %[[IN]]#1) as (tensor<2xf32>, tensor<2xf32>) {device.error}
// CHECK: device.emit @check{{.*}}, %[[IN]]#0 : tensor<i32>
device.module @values {
  device.queue @loop columns ["n", "x"] (tensor<i32>, tensor<2xf32>) depth(4)
  device.loop @loop {mode = "train"} {
    %n, %x = device.get_next @loop : tensor<i32>, tensor<2xf32>
    check.assert %n, "ValueError: {{{}}} is {}" at_once (%x, %x) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
    device.yield
  }
}
