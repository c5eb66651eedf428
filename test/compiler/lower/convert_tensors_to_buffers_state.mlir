// RUN: plumb-opt %s --plumb-convert-tensors-to-buffers --split-input-file | FileCheck %s

// A branch that has no tensor among its results is converted like any other, and updates its variable in place.
// CHECK-LABEL: device.module @update_in_branch
// CHECK-NOT: memref.alloc
// CHECK: %[[W:.*]] = device.variable.view @w
// CHECK: scf.if
// CHECK-NEXT: linalg.exp ins(%[[W]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
// CHECK-NEXT: }
device.module @update_in_branch {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.variable @on : tensor<i1> = dense<true> : tensor<i1>
  device.loop @l {mode = "train"} {
    %w = device.read @w : tensor<4xf32>
    %on = device.read @on : tensor<i1>
    %c = tensor.extract %on[] : tensor<i1>
    scf.if %c {
      %e = tensor.empty() : tensor<4xf32>
      %n = linalg.exp ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      device.write @w, %n : tensor<4xf32>
    }
    device.yield
  }
}

// -----

// Branches exclude each other: what one of them writes, the other one's reader does not see.
// CHECK-LABEL: device.module @either_branch
// CHECK-NOT: memref.alloc
// CHECK: %[[W:.*]] = device.variable.view @w
// CHECK: scf.if
// CHECK-NEXT: linalg.exp ins(%[[W]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
// CHECK-NEXT: } else {
// CHECK-NEXT: linalg.abs ins(%[[W]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
// CHECK-NEXT: }
device.module @either_branch {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.variable @on : tensor<i1> = dense<true> : tensor<i1>
  device.loop @l {mode = "train"} {
    %w = device.read @w : tensor<4xf32>
    %on = device.read @on : tensor<i1>
    %c = tensor.extract %on[] : tensor<i1>
    scf.if %c {
      %e = tensor.empty() : tensor<4xf32>
      %n = linalg.exp ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      device.write @w, %n : tensor<4xf32>
    } else {
      %e = tensor.empty() : tensor<4xf32>
      %n = linalg.abs ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      device.write @w, %n : tensor<4xf32>
    }
    device.yield
  }
}

// -----

// The old value is needed behind the branch: it is copied away when it is read.
// CHECK-LABEL: device.module @needed_behind
// CHECK-DAG: %[[OLD:.*]] = memref.alloc() : memref<4xf32>
// CHECK-DAG: %[[W:.*]] = device.variable.view @w
// CHECK: linalg.copy ins(%[[W]] : memref<4xf32>) outs(%[[OLD]] : memref<4xf32>)
// CHECK: scf.if
// CHECK-NEXT: linalg.exp ins(%[[OLD]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
// CHECK: device.emit @y, %[[OLD]]
device.module @needed_behind {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.variable @on : tensor<i1> = dense<true> : tensor<i1>
  device.report @y : tensor<4xf32>
  device.loop @l {mode = "train"} {
    %w = device.read @w : tensor<4xf32>
    %on = device.read @on : tensor<i1>
    %c = tensor.extract %on[] : tensor<i1>
    scf.if %c {
      %e = tensor.empty() : tensor<4xf32>
      %n = linalg.exp ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      device.write @w, %n : tensor<4xf32>
    }
    device.emit @y, %w : tensor<4xf32>
    device.yield
  }
}

// -----

// A loop counts in its variable; what was read before the loop is needed in each of its iterations.
// CHECK-LABEL: device.module @count_in_loop
// CHECK-DAG: %[[START:.*]] = memref.alloc() : memref<i32>
// CHECK-DAG: %[[K:.*]] = device.variable.view @k
// CHECK: linalg.copy ins(%[[K]] : memref<i32>) outs(%[[START]] : memref<i32>)
// CHECK: scf.while
// CHECK: memref.load %[[K]]
// CHECK: scf.condition
// CHECK: linalg.add ins(%[[K]], %[[START]] : memref<i32>, memref<i32>) outs(%[[K]] : memref<i32>)
// CHECK-NOT: linalg.copy
// CHECK: scf.yield
device.module @count_in_loop {
  device.variable @k : tensor<i32> = dense<1> : tensor<i32>
  device.loop @l {mode = "train"} {
    %start = device.read @k : tensor<i32>
    scf.while : () -> () {
      %k = device.read @k : tensor<i32>
      %v = tensor.extract %k[] : tensor<i32>
      %most = arith.constant 100 : i32
      %c = arith.cmpi slt, %v, %most : i32
      scf.condition(%c)
    } do {
      %k = device.read @k : tensor<i32>
      %e = tensor.empty() : tensor<i32>
      %n = linalg.add ins(%k, %start : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
      device.write @k, %n : tensor<i32>
      scf.yield
    }
    device.yield
  }
}

// -----

// Two writes in a row, the second one in a branch: both in place, for each value dies in the next one.
// CHECK-LABEL: device.module @twice
// CHECK-NOT: memref.alloc
// CHECK: %[[W:.*]] = device.variable.view @w
// CHECK: linalg.exp ins(%[[W]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
// CHECK: scf.if
// CHECK-NEXT: linalg.abs ins(%[[W]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
device.module @twice {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.variable @on : tensor<i1> = dense<true> : tensor<i1>
  device.loop @l {mode = "train"} {
    %w = device.read @w : tensor<4xf32>
    %on = device.read @on : tensor<i1>
    %c = tensor.extract %on[] : tensor<i1>
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.exp ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    device.write @w, %n : tensor<4xf32>
    scf.if %c {
      %m = linalg.abs ins(%n : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      device.write @w, %m : tensor<4xf32>
    }
    device.yield
  }
}

// -----

// The variable is read between the computation of its next value and the write: the next value waits in a buffer.
// CHECK-LABEL: device.module @read_between
// CHECK-DAG: %[[N:.*]] = memref.alloc() : memref<4xf32>
// CHECK-DAG: %[[W:.*]] = device.variable.view @w
// CHECK: linalg.exp ins(%{{.*}} : memref<4xf32>) outs(%[[N]] : memref<4xf32>)
// CHECK: scf.if
// CHECK-NEXT: memref.load %[[W]]
// CHECK: linalg.copy ins(%[[N]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
device.module @read_between {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.variable @v : tensor<f32> = #device.init<"one", []>
  device.queue @q columns ["x", "on"] (tensor<4xf32>, tensor<i1>) depth(2)
  device.loop @l {mode = "train"} {
    %x, %on = device.get_next @q : tensor<4xf32>, tensor<i1>
    %c = tensor.extract %on[] : tensor<i1>
    %i = arith.constant 0 : index
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.if %c {
      %w = device.read @w : tensor<4xf32>
      %first = tensor.extract %w[%i] : tensor<4xf32>
      %v = tensor.from_elements %first : tensor<f32>
      device.write @v, %v : tensor<f32>
    }
    device.write @w, %n : tensor<4xf32>
    device.yield
  }
}

// -----

// The value is computed whether the branch runs or not: only a copy writes the variable when it runs.
// CHECK-LABEL: device.module @computed_before
// CHECK: %[[N:.*]] = memref.alloc() : memref<4xf32>
// CHECK: linalg.exp ins(%{{.*}} : memref<4xf32>) outs(%[[N]] : memref<4xf32>)
// CHECK: scf.if
// CHECK-NEXT: linalg.copy ins(%[[N]] : memref<4xf32>) outs(%{{.*}} : memref<4xf32>)
device.module @computed_before {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.queue @q columns ["x", "on"] (tensor<4xf32>, tensor<i1>) depth(2)
  device.loop @l {mode = "train"} {
    %x, %on = device.get_next @q : tensor<4xf32>, tensor<i1>
    %c = tensor.extract %on[] : tensor<i1>
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.if %c {
      device.write @w, %n : tensor<4xf32>
    }
    device.yield
  }
}
