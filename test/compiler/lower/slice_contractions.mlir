// RUN: plumb-opt %s --plumb-slice-contractions --split-input-file | FileCheck %s

#x = affine_map<(n, w, o, j, c) -> (n, w + j, c)>
#back = affine_map<(n, w, o, j, c) -> (n, w - j + 2, c)>
#k = affine_map<(n, w, o, j, c) -> (j, c, o)>
#y = affine_map<(n, w, o, j, c) -> (n, w, o)>
#id = affine_map<(n, w, o) -> (n, w, o)>
#first = affine_map<(n, w, o) -> (0, 0, o)>
#o = affine_map<(n, w, o) -> (o)>

// The slice is a product in front of the whole one, of what it reads: a window at the padded end, which keeps its zero.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d4)>
// CHECK-LABEL: device.module @origin
// CHECK: %[[PADDED:.*]] = tensor.pad %[[X:.*]] low[0, 1, 0] high[0, 1, 0]
// CHECK: %[[INSIDE:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<8x64x4xf32> to tensor<1x2x4xf32>
// CHECK: %[[WINDOW:.*]] = tensor.pad %[[INSIDE]] low[0, 1, 0] high[0, 0, 0]
// CHECK: %[[SLICE:.*]] = linalg.generic {{.*}} ins(%[[WINDOW]], %[[K:.*]] : tensor<1x3x4xf32>, tensor<3x4x16xf32>) outs(%{{.*}} : tensor<1x1x16xf32>)
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[PADDED]], %[[K]] :
// CHECK-NOT: tensor.extract_slice
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[SLICE]] :
device.module @origin {
  device.queue @in columns ["x", "k"] (tensor<8x64x4xf32>, tensor<3x4x16xf32>) depth(2)
  device.report @s : tensor<16xf32>
  device.loop @l {mode = "eval"} {
    %x, %k = device.get_next @in : tensor<8x64x4xf32>, tensor<3x4x16xf32>
    %zero = arith.constant 0.0 : f32
    %padded = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
    ^bb0(%i: index, %j: index, %l: index):
      tensor.yield %zero : f32
    } : tensor<8x64x4xf32> to tensor<8x66x4xf32>
    %e = tensor.empty() : tensor<8x64x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64x16xf32>) -> tensor<8x64x16xf32>
    %y = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded, %k : tensor<8x66x4xf32>, tensor<3x4x16xf32>) outs(%z : tensor<8x64x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64x16xf32>
    %origin = tensor.extract_slice %y[0, 0, 0] [1, 1, 16] [1, 1, 1] : tensor<8x64x16xf32> to tensor<1x1x16xf32>
    %f = tensor.empty() : tensor<16xf32>
    %w = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.generic {indexing_maps = [#id, #first, #o], iterator_types = ["reduction", "reduction", "parallel"]} ins(%y, %origin : tensor<8x64x16xf32>, tensor<1x1x16xf32>) outs(%w : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.subf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    device.emit @s, %s : tensor<16xf32>
    device.yield
  }
}

// -----

#back = affine_map<(n, w, o, j, c) -> (n, w - j + 2, c)>
#k = affine_map<(n, w, o, j, c) -> (j, c, o)>
#y = affine_map<(n, w, o, j, c) -> (n, w, o)>
#id = affine_map<(n, w, o) -> (n, w, o)>
#first = affine_map<(n, w, o) -> (0, 0, o)>
#o = affine_map<(n, w, o) -> (o)>

// Loops that walk backwards, and a slice from the middle: pixel 5 reads 5 to 7.
// CHECK-DAG: #[[IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 - d3 + 2, d4)>
// CHECK-LABEL: device.module @backwards
// CHECK: %[[WINDOW:.*]] = tensor.extract_slice %{{.*}}[3, 5, 0] [1, 3, 4] [1, 1, 1] : tensor<8x66x4xf32> to tensor<1x3x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[IN]], {{.*}} ins(%[[WINDOW]], %{{.*}} outs(%{{.*}} : tensor<1x1x16xf32>)
device.module @backwards {
  device.queue @in columns ["x", "k"] (tensor<8x66x4xf32>, tensor<3x4x16xf32>) depth(2)
  device.report @s : tensor<16xf32>
  device.loop @l {mode = "eval"} {
    %x, %k = device.get_next @in : tensor<8x66x4xf32>, tensor<3x4x16xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x64x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64x16xf32>) -> tensor<8x64x16xf32>
    %y = linalg.generic {indexing_maps = [#back, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : tensor<8x66x4xf32>, tensor<3x4x16xf32>) outs(%z : tensor<8x64x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x64x16xf32>
    %origin = tensor.extract_slice %y[3, 5, 0] [1, 1, 16] [1, 1, 1] : tensor<8x64x16xf32> to tensor<1x1x16xf32>
    %f = tensor.empty() : tensor<16xf32>
    %w = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.generic {indexing_maps = [#id, #first, #o], iterator_types = ["reduction", "reduction", "parallel"]} ins(%y, %origin : tensor<8x64x16xf32>, tensor<1x1x16xf32>) outs(%w : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.subf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    device.emit @s, %s : tensor<16xf32>
    device.yield
  }
}

// -----

#x = affine_map<(n, o, c) -> (n, c)>
#k = affine_map<(n, o, c) -> (c, o)>
#y = affine_map<(n, o, c) -> (n, o)>

// No reduction needs the slice: it stays a view.
// CHECK-LABEL: device.module @view
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: tensor.extract_slice %[[Y]]
device.module @view {
  device.queue @in columns ["x", "k"] (tensor<512x4xf32>, tensor<4x16xf32>) depth(2)
  device.report @s : tensor<1x16xf32>
  device.loop @l {mode = "eval"} {
    %x, %k = device.get_next @in : tensor<512x4xf32>, tensor<4x16xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<512x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x16xf32>) -> tensor<512x16xf32>
    %y = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : tensor<512x4xf32>, tensor<4x16xf32>) outs(%z : tensor<512x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<512x16xf32>
    %row = tensor.extract_slice %y[0, 0] [1, 16] [1, 1] : tensor<512x16xf32> to tensor<1x16xf32>
    device.emit @s, %row : tensor<1x16xf32>
    device.yield
  }
}

// -----

#x = affine_map<(n, o, c) -> (n, c)>
#k = affine_map<(n, o, c) -> (c, o)>
#y = affine_map<(n, o, c) -> (n, o)>
#id = affine_map<(n, o) -> (n, o)>
#column = affine_map<(n, o) -> (o)>
#first = affine_map<(n, o) -> (0, o)>

// The slice of an input that is computed element by element is computed again, before all of the input.
// CHECK-LABEL: device.module @again
// CHECK: %[[X0:.*]] = tensor.extract_slice %[[X:.*]][0, 0] [1, 4] [1, 1] : tensor<512x4xf32> to tensor<1x4xf32>
// CHECK: %[[MAPPED:.*]] = linalg.generic {{.*}} ins(%[[X0]], %[[C:.*]] : tensor<1x4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<1x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[C]] : tensor<512x4xf32>, tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[MAPPED]], %{{.*}} : tensor<1x4xf32>, tensor<4x16xf32>) outs(%{{.*}} : tensor<1x16xf32>)
device.module @again {
  device.queue @in columns ["x", "k", "c"] (tensor<512x4xf32>, tensor<4x16xf32>, tensor<4xf32>) depth(2)
  device.report @s : tensor<16xf32>
  device.loop @l {mode = "eval"} {
    %x, %k, %c = device.get_next @in : tensor<512x4xf32>, tensor<4x16xf32>, tensor<4xf32>
    %zero = arith.constant 0.0 : f32
    %m = tensor.empty() : tensor<512x4xf32>
    %mapped = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %c : tensor<512x4xf32>, tensor<4xf32>) outs(%m : tensor<512x4xf32>) {
    ^bb0(%a: f32, %b: f32, %d: f32):
      %0 = arith.subf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<512x4xf32>
    %e = tensor.empty() : tensor<512x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x16xf32>) -> tensor<512x16xf32>
    %y = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%mapped, %k : tensor<512x4xf32>, tensor<4x16xf32>) outs(%z : tensor<512x16xf32>) {
    ^bb0(%a: f32, %b: f32, %d: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %d, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<512x16xf32>
    %origin = tensor.extract_slice %y[0, 0] [1, 16] [1, 1] : tensor<512x16xf32> to tensor<1x16xf32>
    %f = tensor.empty() : tensor<16xf32>
    %w = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.generic {indexing_maps = [#id, #first, #column], iterator_types = ["reduction", "parallel"]} ins(%y, %origin : tensor<512x16xf32>, tensor<1x16xf32>) outs(%w : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %d: f32):
      %0 = arith.subf %a, %b : f32
      %1 = arith.addf %d, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    device.emit @s, %s : tensor<16xf32>
    device.yield
  }
}
