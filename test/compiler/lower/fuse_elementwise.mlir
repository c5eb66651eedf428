// RUN: plumb-opt %s --plumb-fuse-elementwise --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// A momentum update is one operation with two results, behind the last reader of the old weights.
// CHECK-LABEL: device.module @update
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: device.emit @sum
// CHECK: %[[N:.*]]:2 = linalg.generic
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK: device.write @v, %[[N]]#0
// CHECK: device.write @w, %[[N]]#1
device.module @update {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.variable @v : tensor<4xf32> = #device.init<"one", []>
  device.queue @train columns ["g"] (tensor<4xf32>) depth(2)
  device.report @sum : tensor<f32>
  device.loop @train {mode = "train"} {
    %g = device.get_next @train : tensor<4xf32>
    %w = device.read @w : tensor<4xf32>
    %v = device.read @v : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %m = arith.constant 9.0e-1 : f32
    %v1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%v, %g : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %m : f32
      %1 = arith.addf %0, %b : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    device.write @v, %v1 : tensor<4xf32>
    %w1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%w, %v1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %b, %m : f32
      %1 = arith.subf %a, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    device.write @w, %w1 : tensor<4xf32>
    %z = arith.constant 0.0 : f32
    %l = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%z : f32) outs(%l : tensor<f32>) -> tensor<f32>
    %t = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%w : tensor<4xf32>) outs(%f : tensor<f32>) {
    ^bb0(%a : f32, %o : f32):
      %1 = arith.addf %a, %o : f32
      linalg.yield %1 : f32
    } -> tensor<f32>
    device.emit @sum, %t : tensor<f32>
    device.yield
  }
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#vec = affine_map<(d0) -> (d0)>

// An exponential that many elements read is computed once.
// CHECK-LABEL: device.module @broadcast
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
device.module @broadcast {
  device.queue @q columns ["x", "r"] (tensor<4x8xf32>, tensor<4xf32>) depth(2)
  device.report @y : tensor<4x8xf32>
  device.loop @l {mode = "eval"} {
    %x, %r = device.get_next @q : tensor<4x8xf32>, tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %f = tensor.empty() : tensor<4x8xf32>
    %p = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]} ins(%r : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = math.exp %a : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %c = linalg.generic {indexing_maps = [#vec, #vec], iterator_types = ["parallel"]} ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.addf %a, %a : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %c : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4x8xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<4x8xf32>
    device.emit @y, %y : tensor<4x8xf32>
    device.yield
  }
}

// -----

#id = affine_map<(d0) -> (d0)>

// An operation has as many streams as the processor can follow: the first two sums access eight together, all three
// would access eleven.
// CHECK-LABEL: device.module @streams
// CHECK: linalg.generic
// CHECK-COUNT-6: arith.addf
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK-COUNT-1: arith.addf
// CHECK-NOT: linalg.generic
device.module @streams target("x86-64-v4") {
  device.queue @q columns ["a", "b", "c", "d", "e", "f", "g", "h"] (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) depth(2)
  device.report @y : tensor<64xf32>
  device.loop @l {mode = "eval"} {
    %a, %b, %c, %d, %e, %f, %g, %h = device.get_next @q : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
    %o = tensor.empty() : tensor<64xf32>
    %p = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b, %c, %d : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%o : tensor<64xf32>) {
    ^bb0(%i : f32, %j : f32, %k : f32, %l : f32, %m : f32):
      %0 = arith.addf %i, %j : f32
      %1 = arith.addf %0, %k : f32
      %2 = arith.addf %1, %l : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %r = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%p, %e, %f, %g : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%o : tensor<64xf32>) {
    ^bb0(%i : f32, %j : f32, %k : f32, %l : f32, %m : f32):
      %0 = arith.addf %i, %j : f32
      %1 = arith.addf %0, %k : f32
      %2 = arith.addf %1, %l : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r, %h : tensor<64xf32>, tensor<64xf32>) outs(%o : tensor<64xf32>) {
    ^bb0(%i : f32, %j : f32, %m : f32):
      %0 = arith.addf %i, %j : f32
      linalg.yield %0 : f32
    } -> tensor<64xf32>
    device.emit @y, %s : tensor<64xf32>
    device.yield
  }
}
