// RUN: plumb-opt %s --plumb-convert-tensors-to-buffers --split-input-file | FileCheck %s

// A loop that changes one tensor element by element does so in place.
// CHECK-LABEL: device.module @accumulate
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: linalg.fill ins({{.*}}) outs(%[[A]]
// CHECK: scf.for
// CHECK-NOT: linalg.copy
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: device.emit @y, %[[A]]
device.module @accumulate {
  device.report @y : tensor<4xf32>
  device.loop @l {mode = "eval"} {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %f) -> tensor<4xf32> {
      %v = tensor.extract %a[%i] : tensor<4xf32>
      %s = arith.addf %v, %v : f32
      %n = tensor.insert %s into %a[%i] : tensor<4xf32>
      scf.yield %n : tensor<4xf32>
    }
    device.emit @y, %r : tensor<4xf32>
    device.yield
  }
}

// -----

// Of values that change places in a loop, the one that is overwritten first goes through a fresh buffer.
// CHECK-LABEL: device.module @fibonacci
// CHECK: scf.for
// CHECK: linalg.copy ins(%[[A:.*]] : memref<4xf32>) outs(%[[ASIDE:.*]] : memref<4xf32>)
// CHECK-NEXT: linalg.copy ins(%[[B:.*]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK-NEXT: linalg.copy ins(%[[ASIDE]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
// CHECK-NEXT: }
device.module @fibonacci {
  device.queue @q columns ["x", "y"] (tensor<4xf32>, tensor<4xf32>) depth(2)
  device.report @y : tensor<4xf32>
  device.loop @l {mode = "eval"} {
    %x, %y = device.get_next @q : tensor<4xf32>, tensor<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
      scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
    }
    device.emit @y, %r#0 : tensor<4xf32>
    device.yield
  }
}

// -----

// CHECK-LABEL: device.module @branch
// CHECK: scf.if %{{.*}} {
// CHECK: linalg.copy ins(%{{.*}}) outs(%[[R:.*]] : memref<4xf32>)
// CHECK: } else {
// CHECK: linalg.copy ins(%{{.*}}) outs(%[[R]] : memref<4xf32>)
// CHECK: device.emit @y, %[[R]]
device.module @branch {
  device.queue @q columns ["x", "y"] (tensor<4xf32>, tensor<4xf32>) depth(2)
  device.report @y : tensor<4xf32>
  device.loop @l {mode = "eval"} {
    %x, %y = device.get_next @q : tensor<4xf32>, tensor<4xf32>
    %i = arith.constant 0 : index
    %v = tensor.extract %x[%i] : tensor<4xf32>
    %w = tensor.extract %y[%i] : tensor<4xf32>
    %c = arith.cmpf olt, %v, %w : f32
    %r = scf.if %c -> tensor<4xf32> {
      scf.yield %x : tensor<4xf32>
    } else {
      scf.yield %y : tensor<4xf32>
    }
    device.emit @y, %r : tensor<4xf32>
    device.yield
  }
}

// -----

// Each carried value begins with its own initial value, not with the first one's.
// CHECK-LABEL: device.module @two_carried
// CHECK-DAG: %[[V:.*]] = device.variable.view @v
// CHECK-DAG: %[[W:.*]] = device.variable.view @w
// CHECK: linalg.copy ins(%[[V]] : memref<f32>)
// CHECK-NEXT: linalg.copy ins(%[[W]] : memref<3xf32>)
// CHECK: scf.while
device.module @two_carried {
  device.variable @v : tensor<f32> = dense<1.0> : tensor<f32>
  device.variable @w : tensor<3xf32> = dense<2.0> : tensor<3xf32>
  device.report @y : tensor<3xf32>
  device.loop @l {mode = "eval"} {
    %v = device.read @v : tensor<f32>
    %w = device.read @w : tensor<3xf32>
    %r:2 = scf.while (%a = %v, %b = %w) : (tensor<f32>, tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) {
      %e = tensor.extract %a[] : tensor<f32>
      %z = arith.constant 0.0 : f32
      %c = arith.cmpf ogt, %e, %z : f32
      scf.condition(%c) %a, %b : tensor<f32>, tensor<3xf32>
    } do {
    ^bb0(%a: tensor<f32>, %b: tensor<3xf32>):
      %z = arith.constant 0.0 : f32
      %n = tensor.insert %z into %a[] : tensor<f32>
      scf.yield %n, %b : tensor<f32>, tensor<3xf32>
    }
    device.emit @y, %r#1 : tensor<3xf32>
    device.yield
  }
}

// -----

// What a condition only hands on lies in one place through all iterations: a tape is not copied.
// CHECK-LABEL: device.module @handed_on
// CHECK: %[[T:.*]] = memref.alloc() : memref<8x3xf32>
// CHECK: scf.while
// CHECK-NOT: memref<8x3xf32>, {{.*}}memref<8x3xf32>
// CHECK: } do {
// CHECK: %[[ROW:.*]] = memref.subview %[[T]][%{{.*}}, 0] [1, 3] [1, 1]
// CHECK: linalg.copy ins(%{{.*}} : memref<3xf32>) outs(%[[ROW]]
// CHECK-NOT: memref<8x3xf32>)
// CHECK: device.emit
device.module @handed_on {
  device.variable @w : tensor<3xf32> = dense<2.0> : tensor<3xf32>
  device.report @y : tensor<8x3xf32>
  device.loop @l {mode = "eval"} {
    %w = device.read @w : tensor<3xf32>
    %t = tensor.empty() : tensor<8x3xf32>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %eight = arith.constant 8 : index
    %r:2 = scf.while (%i = %zero, %a = %t) : (index, tensor<8x3xf32>) -> (index, tensor<8x3xf32>) {
      %c = arith.cmpi slt, %i, %eight : index
      scf.condition(%c) %i, %a : index, tensor<8x3xf32>
    } do {
    ^bb0(%i: index, %a: tensor<8x3xf32>):
      %n = tensor.insert_slice %w into %a[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<8x3xf32>
      %j = arith.addi %i, %one : index
      scf.yield %j, %n : index, tensor<8x3xf32>
    }
    device.emit @y, %r#1 : tensor<8x3xf32>
    device.yield
  }
}

// -----

// A sum that is computed where it is carried stays there, whatever else the loop hands on: the states beside it are copied, each once.
// CHECK-LABEL: device.module @sum_beside_states
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%[[SUM:.*]] : memref<8xf32>)
// CHECK: addf
// CHECK: linalg.generic {{.*}} outs(%[[NEW:.*]] : memref<4xf32>)
// CHECK: linalg.copy ins(%[[OLD:.*]] : memref<4xf32>) outs(%[[ASIDE:.*]] : memref<4xf32>)
// CHECK-NEXT: linalg.copy ins(%[[NEW]] : memref<4xf32>) outs(%[[OLD]] : memref<4xf32>)
// CHECK-NEXT: linalg.copy ins(%[[ASIDE]] : memref<4xf32>)
// CHECK-NEXT: }
#rows = affine_map<(d0) -> (d0)>
#turned = affine_map<(d0) -> (3 - d0)>
device.module @sum_beside_states {
  device.queue @q columns ["x", "y", "z"] (tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) depth(2)
  device.report @sum : tensor<8xf32>
  device.report @y : tensor<4xf32>
  device.loop @l {mode = "eval"} {
    %x, %y, %z = device.get_next @q : tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %f, %a = %y, %b = %z) -> (tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) {
      %e0 = tensor.empty() : tensor<8xf32>
      %s = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel"]}
          ins(%sum, %x : tensor<8xf32>, tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
      ^bb0(%old: f32, %in: f32, %out: f32):
        %t = arith.addf %old, %in : f32
        linalg.yield %t : f32
      } -> tensor<8xf32>
      %e1 = tensor.empty() : tensor<4xf32>
      %n = linalg.generic {indexing_maps = [#turned, #rows, #rows], iterator_types = ["parallel"]}
          ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
      ^bb0(%old: f32, %in: f32, %out: f32):
        %t = arith.mulf %old, %in : f32
        linalg.yield %t : f32
      } -> tensor<4xf32>
      scf.yield %s, %n, %a : tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
    }
    device.emit @sum, %r#0 : tensor<8xf32>
    device.emit @y, %r#1 : tensor<4xf32>
    device.yield
  }
}
