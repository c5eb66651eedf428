// RUN: plumb-opt %s --plumb-fuse-reductions --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A sum and a sum of squares are one pass.
// CHECK-LABEL: device.module @moments
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%{{[^,]*}} : tensor<4x8xf32>) outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>)
// CHECK: %[[S:.*]] = arith.addf
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: %[[Q:.*]] = arith.addf %{{.*}}, %[[P]]
// CHECK: linalg.yield %[[S]], %[[Q]]
// CHECK-NOT: linalg.generic
// CHECK: device.emit @s, %[[R]]#0
// CHECK: device.emit @q, %[[R]]#1
device.module @moments {
  device.queue @in columns ["x"] (tensor<4x8xf32>) depth(2)
  device.report @s : tensor<8xf32>
  device.report @q : tensor<8xf32>
  device.loop @l {mode = "eval"} {
    %x = device.get_next @in : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%z : tensor<8xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    %q = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%z : tensor<8xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.mulf %a, %a : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    device.emit @s, %s : tensor<8xf32>
    device.emit @q, %q : tensor<8xf32>
    device.yield
  }
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The sum of exponentials needs the maximum: they stay apart. Sums along other axes do too.
// CHECK-LABEL: device.module @dependent
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
device.module @dependent {
  device.queue @in columns ["x"] (tensor<4x4xf32>) depth(2)
  device.report @s : tensor<4xf32>
  device.report @c : tensor<4xf32>
  device.loop @l {mode = "eval"} {
    %x = device.get_next @in : tensor<4x4xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.maximumf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %s = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %m : tensor<4x4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.subf %a, %b : f32
      %1 = math.exp %0 : f32
      %2 = arith.addf %o, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    %c = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    device.emit @s, %s : tensor<4xf32>
    device.emit @c, %c : tensor<4xf32>
    device.yield
  }
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The first and the last sum of x become one, for which the plain sum of y moves to the front. The other sum of y needs that one's
// result: it stays behind, alone.
// CHECK-LABEL: device.module @moved
// CHECK: %[[B:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[Y:[^ ,]*]] : tensor<4x4xf32>)
// CHECK: %[[LG:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{[^,]*}}, %[[B]] : tensor<4x4xf32>, tensor<4xf32>)
// CHECK: %[[A:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[Y]], %[[LG]]#0 : tensor<4x4xf32>, tensor<4xf32>)
// CHECK: device.emit @a, %[[A]]
device.module @moved {
  device.queue @in columns ["x", "y"] (tensor<4x4xf32>, tensor<4x4xf32>) depth(2)
  device.report @a : tensor<4xf32>
  device.report @g : tensor<4xf32>
  device.loop @l {mode = "eval"} {
    %x, %y = device.get_next @in : tensor<4x4xf32>, tensor<4x4xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%in : f32, %o : f32):
      %0 = arith.addf %o, %in : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %a = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%y, %l : tensor<4x4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%in : f32, %m : f32, %o : f32):
      %0 = arith.mulf %in, %m : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<4x4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%in : f32, %o : f32):
      %0 = arith.addf %o, %in : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    %g = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %b : tensor<4x4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%in : f32, %m : f32, %o : f32):
      %0 = arith.mulf %in, %m : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    device.emit @a, %a : tensor<4xf32>
    device.emit @g, %g : tensor<4xf32>
    device.yield
  }
}
