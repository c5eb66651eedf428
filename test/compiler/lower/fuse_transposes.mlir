// RUN: plumb-opt %s --plumb-fuse-transposes --split-input-file | FileCheck %s

#in = affine_map<(b, h, s, d) -> (b, s, h, d)>
#id = affine_map<(b, h, s, d) -> (b, h, s, d)>

// The heads of attention: the products read the queries where they are, and write where the next one reads.
// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[T:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3)>
// CHECK-LABEL: device.module @heads
// CHECK: %[[X:.*]]:2 = device.get_next
// CHECK-NOT: linalg.yield %in : f32
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[Q]], #[[K]], #[[S]]]{{.*}} ins(%[[X]]#0, %[[X]]#1 :
// CHECK: linalg.fill {{.*}} -> tensor<2x8x4x16xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[T]]]{{.*}} ins(%[[P]], %[[X]]#1 : {{.*}}) outs(%{{.*}} : tensor<2x8x4x16xf32>)
// CHECK-NOT: linalg.generic
// CHECK: device.emit @r, %[[R]]
device.module @heads {
  device.queue @in columns ["q", "k"] (tensor<2x8x4x16xf32>, tensor<2x4x9x16xf32>) depth(2)
  device.report @r : tensor<2x8x4x16xf32>
  device.loop @l {mode = "eval"} {
    %x, %k = device.get_next @in : tensor<2x8x4x16xf32>, tensor<2x4x9x16xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x4x8x16xf32>
    %q = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x8x4x16xf32>) outs(%e : tensor<2x4x8x16xf32>) {
    ^bb0(%in : f32, %o : f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x16xf32>
    %f = tensor.empty() : tensor<2x4x8x9xf32>
    %z = linalg.fill ins(%zero : f32) outs(%f : tensor<2x4x8x9xf32>) -> tensor<2x4x8x9xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(b, h, s, t, d) -> (b, h, s, d)>, affine_map<(b, h, s, t, d) -> (b, h, t, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x9x16xf32>) outs(%z : tensor<2x4x8x9xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<2x4x8x9xf32>
    %y = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, h, s, d, t) -> (b, h, s, t)>, affine_map<(b, h, s, d, t) -> (b, h, t, d)>, affine_map<(b, h, s, d, t) -> (b, h, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p, %k : tensor<2x4x8x9xf32>, tensor<2x4x9x16xf32>) outs(%y : tensor<2x4x8x16xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<2x4x8x16xf32>
    %g = tensor.empty() : tensor<2x8x4x16xf32>
    %r = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x4x8x16xf32>) outs(%g : tensor<2x8x4x16xf32>) {
    ^bb0(%in : f32, %o : f32):
      linalg.yield %in : f32
    } -> tensor<2x8x4x16xf32>
    device.emit @r, %r : tensor<2x8x4x16xf32>
    device.yield
  }
}
