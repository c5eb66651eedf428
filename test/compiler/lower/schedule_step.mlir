// RUN: plumb-opt %s --plumb-schedule-step --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d1)>
#s = affine_map<() -> ()>
#u = affine_map<(d0, d1) -> ()>

// The fill is doubled, each beside its product; the ReLU follows its product, the update its gradient, which waits for the
// product that reads the old weight; the rate is there in time.
// CHECK-LABEL: device.loop @train
// CHECK: device.read @rate
// CHECK: %[[RATE:.*]] = linalg.generic {{.*}}iterator_types = []
// CHECK: %[[Z0:.*]] = linalg.fill
// CHECK-NEXT: %[[Y:.*]] = linalg.generic {{.*}} outs(%[[Z0]]
// CHECK: %[[RELU:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK: maximumf
// CHECK: linalg.fill
// CHECK-NEXT: linalg.generic {{.*}}"reduction", "parallel"
// CHECK: %[[Z1:.*]] = linalg.fill
// CHECK-NEXT: %[[DX:.*]] = linalg.generic {{.*}} ins(%[[RELU]], %[[W:.*]] : {{.*}} outs(%[[Z1]]
// CHECK: %[[Z2:.*]] = linalg.fill
// CHECK-NEXT: %[[DW:.*]] = linalg.generic {{.*}} ins(%[[RELU]], %[[RELU]] : {{.*}} outs(%[[Z2]]
// CHECK: linalg.generic {{.*}} ins(%[[W]], %[[DW]], %[[RATE]] :
// CHECK: device.write @w
device.module @m {
  device.variable @w : tensor<8x8xf32> = dense<0.0> : tensor<8x8xf32>
  device.variable @rate : tensor<f32> = dense<0.1> : tensor<f32>
  device.queue @q columns ["x"] (tensor<8x8xf32>) depth(4)
  device.report @y : tensor<8xf32>
  device.report @z : tensor<8x8xf32>
  device.loop @train {mode = "train"} {
    %zero = arith.constant 0.0 : f32
    %x = device.get_next @q : tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %w = device.read @w : tensor<8x8xf32>
    %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %m = arith.mulf %i, %j : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %fill1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    %sums = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["reduction", "parallel"]} ins(%y : tensor<8x8xf32>) outs(%fill1 : tensor<8xf32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.addf %o, %i : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    device.emit @y, %sums : tensor<8xf32>
    %e2 = tensor.empty() : tensor<8x8xf32>
    %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x8xf32>) outs(%e2 : tensor<8x8xf32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.maximumf %i, %zero : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %dw = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%relu, %relu : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %m = arith.mulf %i, %j : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %dx = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%relu, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %m = arith.mulf %i, %j : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    device.emit @z, %dx : tensor<8x8xf32>
    %rate = device.read @rate : tensor<f32>
    %e3 = tensor.empty() : tensor<f32>
    %half = linalg.generic {indexing_maps = [#s, #s], iterator_types = []} ins(%rate : tensor<f32>) outs(%e3 : tensor<f32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.addf %i, %i : f32
      linalg.yield %n : f32
    } -> tensor<f32>
    %u = linalg.generic {indexing_maps = [#id, #id, #u, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %dw, %half : tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
      %m = arith.mulf %j, %k : f32
      %n = arith.subf %i, %m : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    device.write @w, %u : tensor<8x8xf32>
    device.yield
  }
}

// -----

#a = affine_map<(n, w, o, c) -> (n, w, c)>
#b = affine_map<(n, w, o, c) -> (c, o)>
#c = affine_map<(n, w, o, c) -> (n, w, o)>
#id = affine_map<(n, w, o) -> (n, w, o)>
#row = affine_map<(n, w, o) -> (n, o)>

// Sums of a product's rows follow it and the work on its elements; what they start from is there before.
// CHECK-LABEL: device.loop @sums
// CHECK: %[[P:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<2x4xf32>)
// CHECK-NEXT: %[[Z:.*]] = linalg.fill
// CHECK-NEXT: %[[Y:.*]] = linalg.generic {{.*}} outs(%[[Z]]
// CHECK: %[[RELU:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK: linalg.generic {{.*}}"reduction", "parallel"]} ins(%[[RELU]] : {{.*}} outs(%[[P]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x8x3xf32>)
device.module @rows {
  device.queue @q columns ["x", "k"] (tensor<2x8x3xf32>, tensor<3x4xf32>) depth(4)
  device.report @s : tensor<2x4xf32>
  device.report @x : tensor<2x8x3xf32>
  device.loop @sums {mode = "eval"} {
    %zero = arith.constant 0.0 : f32
    %x, %k = device.get_next @q : tensor<2x8x3xf32>, tensor<3x4xf32>
    %e = tensor.empty() : tensor<2x8x4xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : tensor<2x8x3xf32>, tensor<3x4xf32>) outs(%fill : tensor<2x8x4xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %m = arith.mulf %i, %j : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
    } -> tensor<2x8x4xf32>
    %e1 = tensor.empty() : tensor<2x8x3xf32>
    %other = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x8x3xf32>) outs(%e1 : tensor<2x8x3xf32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.addf %i, %i : f32
      linalg.yield %n : f32
    } -> tensor<2x8x3xf32>
    device.emit @x, %other : tensor<2x8x3xf32>
    %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y : tensor<2x8x4xf32>) outs(%e : tensor<2x8x4xf32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.maximumf %i, %zero : f32
      linalg.yield %n : f32
    } -> tensor<2x8x4xf32>
    %e2 = tensor.empty() : tensor<2x4xf32>
    %fill2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%relu : tensor<2x8x4xf32>) outs(%fill2 : tensor<2x4xf32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.addf %o, %i : f32
      linalg.yield %n : f32
    } -> tensor<2x4xf32>
    device.emit @s, %s : tensor<2x4xf32>
    device.yield
  }
}

// -----

#id = affine_map<(i) -> (i)>

// What a body captures is an operand like others: an update that reads nothing but its own variable stands behind the number
// that it adds, a scale behind the element that it is made of.
// CHECK-LABEL: device.loop @captured
// CHECK: %[[S:.*]] = device.read @s
// CHECK: %[[K:.*]] = device.read @k
// CHECK: %[[STEP:.*]] = arith.constant 5.000000e-01
// CHECK: linalg.generic {{.*}} ins(%[[K]] :
// CHECK: arith.addf %{{.*}}, %[[STEP]]
// CHECK: %[[E:.*]] = tensor.extract
// CHECK: linalg.generic {{.*}} ins(%[[S]] :
// CHECK: arith.mulf %{{.*}}, %[[E]]
device.module @captures {
  device.variable @k : tensor<4xf32> = dense<0.0> : tensor<4xf32>
  device.variable @s : tensor<4xf32> = dense<0.0> : tensor<4xf32>
  device.queue @q columns ["x"] (tensor<8xf32>) depth(4)
  device.loop @captured {mode = "train"} {
    %x = device.get_next @q : tensor<8xf32>
    %c0 = arith.constant 0 : index
    %step = arith.constant 0.5 : f32
    %k = device.read @k : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%k : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%i: f32, %o: f32):
      %a = arith.addf %i, %step : f32
      linalg.yield %a : f32
    } -> tensor<4xf32>
    device.write @k, %n : tensor<4xf32>
    %s = device.read @s : tensor<4xf32>
    %f = tensor.extract %x[%c0] : tensor<8xf32>
    %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%i: f32, %o: f32):
      %a = arith.mulf %i, %f : f32
      linalg.yield %a : f32
    } -> tensor<4xf32>
    device.write @s, %m : tensor<4xf32>
    device.yield
  }
}

// -----

#a = affine_map<(n, w, o, c) -> (n, w, c)>
#b = affine_map<(n, w, o, c) -> (c, o)>
#c = affine_map<(n, w, o, c) -> (n, w, o)>
#id = affine_map<(n, w, o) -> (n, w, o)>
#row = affine_map<(n, w, o) -> (n, o)>

// A sum that starts from an element of the product cannot start before it.
// CHECK-LABEL: device.loop @late_start
// CHECK: %[[Y:.*]] = linalg.generic {{.*}}"reduction"]
// CHECK: %[[FIRST:.*]] = tensor.extract %[[Y]]
// CHECK: %[[P:.*]] = linalg.fill ins(%[[FIRST]]
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : {{.*}} outs(%[[P]]
device.module @start {
  device.queue @q columns ["x", "k"] (tensor<2x8x3xf32>, tensor<3x4xf32>) depth(4)
  device.report @s : tensor<2x4xf32>
  device.loop @late_start {mode = "eval"} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %x, %k = device.get_next @q : tensor<2x8x3xf32>, tensor<3x4xf32>
    %e = tensor.empty() : tensor<2x8x4xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : tensor<2x8x3xf32>, tensor<3x4xf32>) outs(%fill : tensor<2x8x4xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %m = arith.mulf %i, %j : f32
      %n = arith.addf %o, %m : f32
      linalg.yield %n : f32
    } -> tensor<2x8x4xf32>
    %first = tensor.extract %y[%c0, %c0, %c0] : tensor<2x8x4xf32>
    %e2 = tensor.empty() : tensor<2x4xf32>
    %fill2 = linalg.fill ins(%first : f32) outs(%e2 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y : tensor<2x8x4xf32>) outs(%fill2 : tensor<2x4xf32>) {
    ^bb0(%i: f32, %o: f32):
      %n = arith.addf %o, %i : f32
      linalg.yield %n : f32
    } -> tensor<2x4xf32>
    device.emit @s, %s : tensor<2x4xf32>
    device.yield
  }
}

// -----

// Sums start anew in a branch: each write has zeros of its own there, not some that are computed in every step.
// CHECK-LABEL: device.module @zeros
// CHECK-NOT: dense<0.000000e+00>
// CHECK: scf.if
// CHECK-NEXT: %[[V:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: device.write @v, %[[V]]
// CHECK-NEXT: %[[W:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: device.write @w, %[[W]]
device.module @zeros {
  device.variable @v : tensor<4xf32> = #device.init<"one", []>
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.queue @q columns ["on"] (tensor<i1>) depth(2)
  device.loop @l {mode = "train"} {
    %on = device.get_next @q : tensor<i1>
    %zeros = arith.constant dense<0.0> : tensor<4xf32>
    %c = tensor.extract %on[] : tensor<i1>
    scf.if %c {
      device.write @v, %zeros : tensor<4xf32>
      device.write @w, %zeros : tensor<4xf32>
    }
    device.yield
  }
}

// -----

// A row is written behind the reader of the old one, which then needs no copy; not where the changed tensor is read before.
// CHECK-LABEL: device.module @rows
// CHECK:         scf.for
// CHECK:           %[[ROW:.*]] = tensor.extract_slice %[[D:.*]][%
// CHECK-NEXT:      %[[Y:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[ROW]]
// CHECK:           tensor.insert_slice %{{.*}} into %[[D]]
// CHECK:           tensor.extract_slice %[[C:.*]][%
// CHECK-NEXT:      tensor.insert_slice %{{.*}} into %[[C]]
device.module @rows {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.report @y : tensor<4xf32>
  device.loop @l {mode = "train"} {
    %x = device.get_next @q : tensor<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %zeros = arith.constant dense<0.0> : tensor<9x4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %r:3 = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x, %d = %zeros, %c = %zeros) -> (tensor<4xf32>, tensor<9x4xf32>, tensor<9x4xf32>) {
      %row = tensor.extract_slice %d[%i, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<4xf32>
      %d1 = tensor.insert_slice %x into %d[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<9x4xf32>
      %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s, %row : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %n = arith.addf %a, %b : f32
        linalg.yield %n : f32
      } -> tensor<4xf32>
      %old = tensor.extract_slice %c[%i, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<4xf32>
      %c2 = tensor.insert_slice %y into %c[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<9x4xf32>
      %new = tensor.extract_slice %c2[%c0, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<4xf32>
      %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%new, %old : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %n = arith.addf %a, %b : f32
        linalg.yield %n : f32
      } -> tensor<4xf32>
      scf.yield %z, %d1, %c2 : tensor<4xf32>, tensor<9x4xf32>, tensor<9x4xf32>
    }
    device.emit @y, %r#0 : tensor<4xf32>
    device.yield
  }
}

// -----

// Zeros that two loops add to are filled for each of them, right before it.
// CHECK-LABEL: device.module @added
// CHECK:         linalg.fill
// CHECK-NEXT:    scf.for
// CHECK:         linalg.fill
// CHECK-NEXT:    scf.for
device.module @added {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.report @y : tensor<9xf32>
  device.report @z : tensor<9xf32>
  device.loop @l {mode = "train"} {
    %x = device.get_next @q : tensor<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<9xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
    %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zeros) -> (tensor<9xf32>) {
      %n = tensor.extract %x[%i] : tensor<4xf32>
      %t = tensor.insert %n into %s[%i] : tensor<9xf32>
      scf.yield %t : tensor<9xf32>
    }
    %z = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zeros) -> (tensor<9xf32>) {
      %n = tensor.extract %x[%i] : tensor<4xf32>
      %m = arith.mulf %n, %n : f32
      %t = tensor.insert %m into %s[%i] : tensor<9xf32>
      scf.yield %t : tensor<9xf32>
    }
    device.emit @y, %y : tensor<9xf32>
    device.emit @z, %z : tensor<9xf32>
    device.yield
  }
}
