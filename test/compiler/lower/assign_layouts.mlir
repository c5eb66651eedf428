// RUN: plumb-opt %s --plumb-assign-layouts=target-cpu=x86-64-v4 --canonicalize --cse --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-assign-layouts=target-cpu=x86-64-v4 --split-input-file --remarks-filter="layout" 2>&1 | FileCheck %s --check-prefix=REMARK

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>
#id = affine_map<(n, o, y, x) -> (n, o, y, x)>

// Six channels leave ten of sixteen lanes idle, rows of ten leave six: the batch goes innermost, in two blocks of sixteen, from
// the queue's image to the matrix that a dense layer reads. The kernel stays.
// REMARK: Layout{{.*}}with the batch innermost
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2, d3)>
// CHECK-DAG: #[[SLIDE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d4, d2 + d5, d3 + d6, d7)>
// CHECK-LABEL: device.module @few
// CHECK: %[[X:.*]] = device.get_next
// CHECK: %[[C:.*]] = tensor.expand_shape %[[X]] {{.*}} : tensor<32x2x14x14xf32> into tensor<2x16x2x14x14xf32>
// CHECK: %[[K:.*]] = device.read @k : tensor<6x2x5x5xf32>
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#[[IN]], {{.*}}} ins(%[[C]] : tensor<2x16x2x14x14xf32>) outs({{.*}} : tensor<2x2x14x14x16xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[SLIDE]], {{.*}}} ins(%[[T]], %[[K]] : tensor<2x2x14x14x16xf32>, tensor<6x2x5x5xf32>) outs({{.*}} : tensor<2x6x10x10x16xf32>)
// CHECK: %[[Z:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<2x6x10x10x16xf32>) outs({{.*}} : tensor<2x6x10x10x16xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<2x6x10x10x16xf32>) outs({{.*}} : tensor<2x16x6x10x10xf32>)
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

// Twenty images are no whole number of vectors: rows of sixteen are: nothing moves.
// REMARK: Layout{{.*}}as written
// CHECK-LABEL: device.module @odd
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<20x2x20x20xf32>, tensor<6x2x5x5xf32>) outs({{.*}} : tensor<20x6x16x16xf32>)
device.module @odd {
  device.variable @k : tensor<6x2x5x5xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<20x2x20x20xf32>) depth(2)
  device.report @y : tensor<20x6x16x16xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<20x2x20x20xf32>
    %k = device.read @k : tensor<6x2x5x5xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<20x6x16x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x6x16x16xf32>) -> tensor<20x6x16x16xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : tensor<20x2x20x20xf32>, tensor<6x2x5x5xf32>) outs(%f : tensor<20x6x16x16xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<20x6x16x16xf32>
    device.emit @y, %y : tensor<20x6x16x16xf32>
    device.yield
  }
}

// -----

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>
#id = affine_map<(n, c, y, x) -> (n, c, y, x)>
#channel = affine_map<(n, c, y, x) -> (c)>
#plane = affine_map<(n, c, y, x) -> (n, c)>

// Sixteen channels are whole vectors: they go innermost in all of the first convolution, a reduction per channel, a pad, the
// second convolution and the mean over an image. Kernels are turned, lanes last; the image of three
// channels, which is only broadcast, stays as it is and so does its pad.
// REMARK: Layout{{.*}}with channels innermost
// CHECK-DAG: #[[TURN:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>
// CHECK-DAG: #[[FEW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d6, d1 + d4, d2 + d5)>
// CHECK-DAG: #[[KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[MANY:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-LABEL: device.module @channels
// CHECK: %[[X:.*]] = device.get_next
// CHECK: %[[PX:.*]] = tensor.pad %[[X]] low[0, 0, 1, 1]
// CHECK: %[[T1:.*]] = linalg.generic {indexing_maps = [#[[TURN]], {{.*}}} ins({{.*}} : tensor<16x3x3x3xf32>) outs({{.*}} : tensor<3x3x3x16xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[FEW]], #[[KERNEL]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[PX]], %[[T1]] : tensor<8x3x16x16xf32>, tensor<3x3x3x16xf32>) outs({{.*}} : tensor<8x14x14x16xf32>)
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[LAST]]], iterator_types = ["reduction", "reduction", "reduction", "parallel"]} ins(%[[Y]]
// CHECK: tensor.extract_slice %[[Y]][0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1]
// CHECK: %[[PY:.*]] = tensor.pad %[[Y]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: %[[T2:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<3x3x16x32xf32>)
// CHECK: %[[Z:.*]] = linalg.generic {indexing_maps = [#[[MANY]], #[[KERNEL]], #[[RESULT]]], {{.*}} ins(%[[PY]], %[[T2]] : tensor<8x16x16x16xf32>, tensor<3x3x16x32xf32>) outs({{.*}} : tensor<8x14x14x32xf32>)
// CHECK: %[[M:.*]] = linalg.generic {{.*}}"reduction", "reduction", "parallel"]} ins(%[[Z]] : tensor<8x14x14x32xf32>) outs({{.*}} : tensor<8x32xf32>)
// CHECK: device.emit @m, %[[M]]
device.module @channels {
  device.variable @k1 : tensor<16x3x3x3xf32> = #device.init<"one", []>
  device.variable @k2 : tensor<32x16x3x3xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<8x3x14x14xf32>) depth(2)
  device.report @c : tensor<1x16x1x1xf32>
  device.report @s : tensor<16xf32>
  device.report @m : tensor<8x32xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<8x3x14x14xf32>
    %k1 = device.read @k1 : tensor<16x3x3x3xf32>
    %k2 = device.read @k2 : tensor<32x16x3x3xf32>
    %zero = arith.constant 0.0 : f32
    %px = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%p0 : index, %p1 : index, %p2 : index, %p3 : index):
      tensor.yield %zero : f32
    } : tensor<8x3x14x14xf32> to tensor<8x3x16x16xf32>
    %e = tensor.empty() : tensor<8x16x14x14xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16x14x14xf32>) -> tensor<8x16x14x14xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%px, %k1 : tensor<8x3x16x16xf32>, tensor<16x3x3x3xf32>) outs(%f : tensor<8x16x14x14xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x16x14x14xf32>
    %es = tensor.empty() : tensor<16xf32>
    %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.generic {indexing_maps = [#id, #channel], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%y : tensor<8x16x14x14xf32>) outs(%fs : tensor<16xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<16xf32>
    %c = tensor.extract_slice %y[0, 0, 0, 0] [1, 16, 1, 1] [1, 1, 1, 1] : tensor<8x16x14x14xf32> to tensor<1x16x1x1xf32>
    device.emit @c, %c : tensor<1x16x1x1xf32>
    %py = tensor.pad %y low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%p0 : index, %p1 : index, %p2 : index, %p3 : index):
      tensor.yield %zero : f32
    } : tensor<8x16x14x14xf32> to tensor<8x16x16x16xf32>
    %ez = tensor.empty() : tensor<8x32x14x14xf32>
    %fz = linalg.fill ins(%zero : f32) outs(%ez : tensor<8x32x14x14xf32>) -> tensor<8x32x14x14xf32>
    %z = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%py, %k2 : tensor<8x16x16x16xf32>, tensor<32x16x3x3xf32>) outs(%fz : tensor<8x32x14x14xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x32x14x14xf32>
    %em = tensor.empty() : tensor<8x32xf32>
    %fm = linalg.fill ins(%zero : f32) outs(%em : tensor<8x32xf32>) -> tensor<8x32xf32>
    %m = linalg.generic {indexing_maps = [#id, #plane], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%z : tensor<8x32x14x14xf32>) outs(%fm : tensor<8x32xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8x32xf32>
    device.emit @s, %s : tensor<16xf32>
    device.emit @m, %m : tensor<8x32xf32>
    device.yield
  }
}

// -----

#image = affine_map<(o, c, i, j, n, y, x) -> (n, c, i + y, j + x)>
#error = affine_map<(o, c, i, j, n, y, x) -> (n, o, y, x)>
#kernel = affine_map<(o, c, i, j, n, y, x) -> (o, c, i, j)>
#id = affine_map<(n, c, y, x) -> (n, c, y, x)>
#spread = affine_map<(n, c, y, x) -> (n, c, 0, 0)>

// A weight gradient is written with its lanes last and turned back. What is put together from phases stays together; an
// axis moves past axes of extent one without a copy.
// REMARK: Layout{{.*}}with channels innermost
// CHECK-DAG: #[[BACK:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1, d0)>
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d0 + d5, d1 + d6, d2)>
// CHECK-DAG: #[[ERROR:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-DAG: #[[KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: device.module @gradient
// CHECK: %[[XG:.*]]:2 = device.get_next
// CHECK: %[[G1:.*]] = tensor.expand_shape %[[XG]]#1 {{.*}} : tensor<8x16xf32> into tensor<8x1x1x16xf32>
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%[[G1]] : tensor<8x1x1x16xf32>) outs({{.*}} : tensor<8x12x12x16xf32>)
// CHECK: %[[I:.*]] = tensor.insert_slice {{.*}} into {{.*}}[0, 1, 1, 0] [8, 7, 7, 16] [1, 2, 2, 1] : tensor<8x7x7x16xf32> into tensor<8x14x14x16xf32>
// CHECK: %[[D:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[ERROR]], #[[KERNEL]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[I]], %[[G]] : tensor<8x14x14x16xf32>, tensor<8x12x12x16xf32>) outs({{.*}} : tensor<3x3x16x16xf32>)
// CHECK: %[[B:.*]] = linalg.generic {indexing_maps = [#[[BACK]], {{.*}} ins(%[[D]] : tensor<3x3x16x16xf32>) outs({{.*}} : tensor<16x16x3x3xf32>)
// CHECK: device.emit @d, %[[B]]
device.module @gradient {
  device.queue @train columns ["x", "g"] (tensor<8x16x7x7xf32>, tensor<8x16xf32>) depth(2)
  device.report @d : tensor<16x16x3x3xf32>
  device.loop @train {mode = "train"} {
    %x, %g = device.get_next @train : tensor<8x16x7x7xf32>, tensor<8x16xf32>
    %zero = arith.constant 0.0 : f32
    %g1 = tensor.expand_shape %g [[0], [1, 2, 3]] output_shape [8, 16, 1, 1] : tensor<8x16xf32> into tensor<8x16x1x1xf32>
    %eg = tensor.empty() : tensor<8x16x12x12xf32>
    %gs = linalg.generic {indexing_maps = [#spread, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g1 : tensor<8x16x1x1xf32>) outs(%eg : tensor<8x16x12x12xf32>) {
    ^bb0(%a : f32, %o : f32):
      linalg.yield %a : f32
    } -> tensor<8x16x12x12xf32>
    %ei = tensor.empty() : tensor<8x16x14x14xf32>
    %fi = linalg.fill ins(%zero : f32) outs(%ei : tensor<8x16x14x14xf32>) -> tensor<8x16x14x14xf32>
    %image = tensor.insert_slice %x into %fi[0, 0, 1, 1] [8, 16, 7, 7] [1, 1, 2, 2] : tensor<8x16x7x7xf32> into tensor<8x16x14x14xf32>
    %ed = tensor.empty() : tensor<16x16x3x3xf32>
    %fd = linalg.fill ins(%zero : f32) outs(%ed : tensor<16x16x3x3xf32>) -> tensor<16x16x3x3xf32>
    %d = linalg.generic {indexing_maps = [#image, #error, #kernel], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%image, %gs : tensor<8x16x14x14xf32>, tensor<8x16x12x12xf32>) outs(%fd : tensor<16x16x3x3xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<16x16x3x3xf32>
    device.emit @d, %d : tensor<16x16x3x3xf32>
    device.yield
  }
}

// -----

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>

// What surrounds the images is in each block; sums over images leave the group as sums by block and entry.
// CHECK-LABEL: device.module @blocks
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 1, 0] high[0, 0, 1, 1, 0]
// CHECK: : tensor<3x2x12x12x16xf32> to tensor<3x2x14x14x16xf32>
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<3x6x10x10x16xf32>)
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<3x6x10x10x16xf32>) outs({{.*}} : tensor<3x16x6xf32>)
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[S]] {{.*}} : tensor<3x16x6xf32> into tensor<48x6xf32>
// CHECK: device.emit @s, %[[R]]
device.module @blocks {
  device.variable @k : tensor<6x2x5x5xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<48x2x12x12xf32>) depth(2)
  device.report @s : tensor<48x6xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<48x2x12x12xf32>
    %k = device.read @k : tensor<6x2x5x5xf32>
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i0 : index, %i1 : index, %i2 : index, %i3 : index):
      tensor.yield %zero : f32
    } : tensor<48x2x12x12xf32> to tensor<48x2x14x14xf32>
    %e = tensor.empty() : tensor<48x6x10x10xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x6x10x10xf32>) -> tensor<48x6x10x10xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%p, %k : tensor<48x2x14x14xf32>, tensor<6x2x5x5xf32>) outs(%f : tensor<48x6x10x10xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<48x6x10x10xf32>
    %g = tensor.empty() : tensor<48x6xf32>
    %h = linalg.fill ins(%zero : f32) outs(%g : tensor<48x6xf32>) -> tensor<48x6xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(n, o, y, x) -> (n, o, y, x)>, affine_map<(n, o, y, x) -> (n, o)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%y : tensor<48x6x10x10xf32>) outs(%h : tensor<48x6xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<48x6xf32>
    device.emit @s, %s : tensor<48x6xf32>
    device.yield
  }
}

// -----

// Both sides of a reshape are in the group, by ways of their own; but its axes are none of the group's on the other side, so
// it stays, between turns.
// CHECK-LABEL: device.module @repeats
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x14x10x32xf32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2, 3], [4, 5], [6, 7]] : tensor<1x8x1x32x1x14x1x10xf32> into tensor<8x32x14x10xf32>
// REMARK: device.module @repeats
#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#id = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>
#four = affine_map<(a, b, c, d) -> (a, b, c, d)>
#odd = affine_map<(a, b, c, d, e, f, g, h) -> (b, d, f, h)>
#eight = affine_map<(a, b, c, d, e, f, g, h) -> (a, b, c, d, e, f, g, h)>
#back = affine_map<(o, c, i, j, n, y, x) -> (n, c, i + y, j + x)>
#grad = affine_map<(o, c, i, j, n, y, x) -> (n, o, y, x)>
#own = affine_map<(o, c, i, j, n, y, x) -> (o, c, i, j)>
device.module @repeats {
  device.queue @q columns ["x", "w"] (tensor<8x8x16x12xf32>, tensor<32x8x3x3xf32>) depth(4)
  device.report @g : tensor<32x8x3x3xf32>
  device.loop @train {mode = "train"} {
    %zero = arith.constant 0.0 : f32
    %x, %w = device.get_next @q : tensor<8x8x16x12xf32>, tensor<32x8x3x3xf32>
    %e = tensor.empty() : tensor<8x32x14x10xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32x14x10xf32>) -> tensor<8x32x14x10xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<8x8x16x12xf32>, tensor<32x8x3x3xf32>) outs(%z : tensor<8x32x14x10xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<8x32x14x10xf32>
    %e8 = tensor.empty() : tensor<1x8x1x32x1x14x1x10xf32>
    %t = linalg.generic {indexing_maps = [#odd, #eight], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<8x32x14x10xf32>) outs(%e8 : tensor<1x8x1x32x1x14x1x10xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<1x8x1x32x1x14x1x10xf32>
    %r = tensor.collapse_shape %t [[0, 1], [2, 3], [4, 5], [6, 7]] : tensor<1x8x1x32x1x14x1x10xf32> into tensor<8x32x14x10xf32>
    %d = linalg.generic {indexing_maps = [#four, #four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<8x32x14x10xf32>) outs(%e : tensor<8x32x14x10xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<8x32x14x10xf32>
    %ew = tensor.empty() : tensor<32x8x3x3xf32>
    %zw = linalg.fill ins(%zero : f32) outs(%ew : tensor<32x8x3x3xf32>) -> tensor<32x8x3x3xf32>
    %g = linalg.generic {indexing_maps = [#back, #grad, #own], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %d : tensor<8x8x16x12xf32>, tensor<8x32x14x10xf32>) outs(%zw : tensor<32x8x3x3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<32x8x3x3xf32>
    device.emit @g, %g : tensor<32x8x3x3xf32>
    device.yield
  }
}

// -----

#image = affine_map<(n, c, y, x, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, c, y, x, i, j) -> (c, i, j)>
#result = affine_map<(n, c, y, x, i, j) -> (n, c, y, x)>

// Lanes of a depthwise convolution are channels, as those of the convolutions around it: its kernel ends with them.
// REMARK: Layout{{.*}}with channels innermost
// CHECK-DAG: #[[SLIDE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-DAG: #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
// CHECK-LABEL: device.module @depthwise
// CHECK: %[[K:.*]] = device.read @k : tensor<64x3x3xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[K]] : tensor<64x3x3xf32>) outs({{.*}} : tensor<3x3x64xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[SLIDE]], #[[TAPS]], {{.*}}} ins({{.*}}, %[[T]] : tensor<2x8x8x64xf32>, tensor<3x3x64xf32>) outs({{.*}} : tensor<2x6x6x64xf32>)
device.module @depthwise {
  device.variable @k : tensor<64x3x3xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<2x64x8x8xf32>) depth(2)
  device.report @y : tensor<2x64x6x6xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<2x64x8x8xf32>
    %k = device.read @k : tensor<64x3x3xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x64x6x6xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x6x6xf32>) -> tensor<2x64x6x6xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : tensor<2x64x8x8xf32>, tensor<64x3x3xf32>) outs(%f : tensor<2x64x6x6xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<2x64x6x6xf32>
    device.emit @y, %y : tensor<2x64x6x6xf32>
    device.yield
  }
}
