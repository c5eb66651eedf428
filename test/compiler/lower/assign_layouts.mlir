// RUN: plumb-opt %s --plumb-assign-layouts --canonicalize --cse --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-assign-layouts --split-input-file --remarks-filter="layout" 2>&1 | FileCheck %s --check-prefix=REMARK

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>
#id = affine_map<(n, o, y, x) -> (n, o, y, x)>

// Six channels leave ten of sixteen lanes idle, rows of ten leave six: the batch goes innermost, from the queue's image to
// the matrix that a dense layer reads. The kernel stays.
// REMARK: BatchInnermost
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>
// CHECK-DAG: #[[SLIDE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d1 + d4, d2 + d5, d6)>
// CHECK-LABEL: device.module @few
// CHECK: %[[X:.*]] = device.get_next
// CHECK: %[[K:.*]] = device.read @k : tensor<6x2x5x5xf32>
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#[[IN]], {{.*}}} ins(%[[X]] : tensor<32x2x14x14xf32>) outs({{.*}} : tensor<2x14x14x32xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[SLIDE]], {{.*}}} ins(%[[T]], %[[K]] : tensor<2x14x14x32xf32>, tensor<6x2x5x5xf32>) outs({{.*}} : tensor<6x10x10x32xf32>)
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<6x10x10x32xf32>) outs({{.*}} : tensor<6x10x10x32xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<6x10x10x32xf32>) outs({{.*}} : tensor<32x6x10x10xf32>)
// CHECK: tensor.collapse_shape %[[B]]
device.module @few {
  device.variable @k : tensor<6x2x5x5xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<32x2x14x14xf32>) depth(2)
  device.report @y : tensor<32x600xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<32x2x14x14xf32>
    %k = device.read @k : tensor<6x2x5x5xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<32x6x10x10xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x6x10x10xf32>) -> tensor<32x6x10x10xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : tensor<32x2x14x14xf32>, tensor<6x2x5x5xf32>) outs(%f : tensor<32x6x10x10xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<32x6x10x10xf32>
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<32x6x10x10xf32>) outs(%e : tensor<32x6x10x10xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.maximumf %a, %zero : f32
      linalg.yield %0 : f32
    } -> tensor<32x6x10x10xf32>
    %r = tensor.collapse_shape %z [[0], [1, 2, 3]] : tensor<32x6x10x10xf32> into tensor<32x600xf32>
    device.emit @y, %r : tensor<32x600xf32>
    device.yield
  }
}

// -----

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>

// Twenty images are no whole number of vectors: nothing moves.
// CHECK-LABEL: device.module @odd
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<20x2x14x14xf32>, tensor<6x2x5x5xf32>) outs({{.*}} : tensor<20x6x10x10xf32>)
device.module @odd {
  device.variable @k : tensor<6x2x5x5xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<20x2x14x14xf32>) depth(2)
  device.report @y : tensor<20x6x10x10xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<20x2x14x14xf32>
    %k = device.read @k : tensor<6x2x5x5xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<20x6x10x10xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x6x10x10xf32>) -> tensor<20x6x10x10xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : tensor<20x2x14x14xf32>, tensor<6x2x5x5xf32>) outs(%f : tensor<20x6x10x10xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<20x6x10x10xf32>
    device.emit @y, %y : tensor<20x6x10x10xf32>
    device.yield
  }
}
