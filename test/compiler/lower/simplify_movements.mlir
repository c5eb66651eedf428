// RUN: plumb-opt %s --plumb-simplify-movements --cse --split-input-file | FileCheck %s

#in = affine_map<(a, b, c) -> (b, a, c)>
#id = affine_map<(a, b, c) -> (a, b, c)>
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>

// A contraction reads slices of the tensor, not of its transpose, and writes what a transpose would have made of its result.
// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: device.module @heads
// CHECK: %[[X:.*]] = device.get_next
// CHECK-DAG: %[[QS:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [8, 2, 16] [1, 1, 1] : tensor<8x4x16xf32> to tensor<8x2x16xf32>
// CHECK-DAG: %[[KS:.*]] = tensor.extract_slice %[[X]][0, 2, 0] [8, 2, 16] [1, 1, 1] : tensor<8x4x16xf32> to tensor<8x2x16xf32>
// CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<8x2x8xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[Q]], #[[K]], #[[S]]], {{.*}} ins(%[[QS]], %[[KS]] : {{.*}}) outs(%[[F]]
// CHECK-NOT: linalg.generic
// CHECK: device.emit @s, %[[R]]
device.module @heads {
  device.queue @train columns ["x"] (tensor<8x4x16xf32>) depth(2)
  device.report @s : tensor<8x2x8xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<8x4x16xf32>
    %zero = arith.constant 0.0 : f32
    %et = tensor.empty() : tensor<4x8x16xf32>
    %t = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x4x16xf32>) outs(%et : tensor<4x8x16xf32>) {
    ^bb0(%a : f32, %o : f32):
      linalg.yield %a : f32
    } -> tensor<4x8x16xf32>
    %q = tensor.extract_slice %t[0, 0, 0] [2, 8, 16] [1, 1, 1] : tensor<4x8x16xf32> to tensor<2x8x16xf32>
    %k = tensor.extract_slice %t[2, 0, 0] [2, 8, 16] [1, 1, 1] : tensor<4x8x16xf32> to tensor<2x8x16xf32>
    %e = tensor.empty() : tensor<2x8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%f : tensor<2x8x8xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<2x8x8xf32>
    %er = tensor.empty() : tensor<8x2x8xf32>
    %r = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x8x8xf32>) outs(%er : tensor<8x2x8xf32>) {
    ^bb0(%a : f32, %o : f32):
      linalg.yield %a : f32
    } -> tensor<8x2x8xf32>
    device.emit @s, %r : tensor<8x2x8xf32>
    device.yield
  }
}

// -----

#in = affine_map<(a, b, c) -> (b, a, c)>
#id = affine_map<(a, b, c) -> (a, b, c)>

// Gradients of three slices of a transposed tensor: one chain of insertions, over nothing, in the tensor's own order. An axis
// of extent one is none.
// CHECK-LABEL: device.module @slices
// CHECK: %[[A:.*]]:3 = device.get_next
// CHECK-NOT: linalg
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x3x16xf32>
// CHECK: %[[I0:.*]] = tensor.insert_slice %[[A]]#0 into %[[E]][0, 2, 0] [8, 1, 16] [1, 1, 1] : tensor<8x16xf32> into tensor<8x3x16xf32>
// CHECK: %[[I1:.*]] = tensor.insert_slice %[[A]]#1 into %[[I0]][0, 1, 0] [8, 1, 16] [1, 1, 1]
// CHECK: %[[I2:.*]] = tensor.insert_slice %[[A]]#2 into %[[I1]][0, 0, 0] [8, 1, 16] [1, 1, 1]
// CHECK-NEXT: device.emit @s, %[[I2]]
device.module @slices {
  device.queue @train columns ["a", "b", "c"] (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) depth(2)
  device.report @s : tensor<8x3x16xf32>
  device.loop @train {mode = "train"} {
    %a, %b, %c = device.get_next @train : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3x8x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
    %a1 = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 8, 16] : tensor<8x16xf32> into tensor<1x8x16xf32>
    %b1 = tensor.expand_shape %b [[0, 1], [2]] output_shape [1, 8, 16] : tensor<8x16xf32> into tensor<1x8x16xf32>
    %c1 = tensor.expand_shape %c [[0, 1], [2]] output_shape [1, 8, 16] : tensor<8x16xf32> into tensor<1x8x16xf32>
    %ia = tensor.insert_slice %a1 into %f[2, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<1x8x16xf32> into tensor<3x8x16xf32>
    %ib = tensor.insert_slice %b1 into %f[1, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<1x8x16xf32> into tensor<3x8x16xf32>
    %ic = tensor.insert_slice %c1 into %f[0, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<1x8x16xf32> into tensor<3x8x16xf32>
    %ab = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ia, %ib : tensor<3x8x16xf32>, tensor<3x8x16xf32>) outs(%e : tensor<3x8x16xf32>) {
    ^bb0(%x : f32, %y : f32, %o : f32):
      %0 = arith.addf %x, %y : f32
      linalg.yield %0 : f32
    } -> tensor<3x8x16xf32>
    %abc = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ab, %ic : tensor<3x8x16xf32>, tensor<3x8x16xf32>) outs(%e : tensor<3x8x16xf32>) {
    ^bb0(%x : f32, %y : f32, %o : f32):
      %0 = arith.addf %x, %y : f32
      linalg.yield %0 : f32
    } -> tensor<3x8x16xf32>
    %et = tensor.empty() : tensor<8x3x16xf32>
    %t = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%abc : tensor<3x8x16xf32>) outs(%et : tensor<8x3x16xf32>) {
    ^bb0(%x : f32, %o : f32):
      linalg.yield %x : f32
    } -> tensor<8x3x16xf32>
    device.emit @s, %t : tensor<8x3x16xf32>
    device.yield
  }
}

// -----

#in = affine_map<(a, b) -> (b, a)>
#id = affine_map<(a, b) -> (a, b)>

// Two that go to one place are added there, not in the whole.
// CHECK-LABEL: device.module @place
// CHECK: %[[A:.*]]:3 = device.get_next
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[A]]#0, %[[A]]#2 : tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK: %[[I:.*]] = tensor.insert_slice %[[S]] into {{.*}}[0, 0] [4, 4] [1, 2]
// CHECK: %[[J:.*]] = tensor.insert_slice %[[A]]#1 into %[[I]][0, 1] [4, 4] [1, 2]
// CHECK-NEXT: device.emit @s, %[[J]]
device.module @place {
  device.queue @train columns ["a", "b", "c"] (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) depth(2)
  device.report @s : tensor<4x8xf32>
  device.loop @train {mode = "train"} {
    %a, %b, %c = device.get_next @train : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %i = tensor.insert_slice %a into %e[0, 0] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
    %j = tensor.insert_slice %b into %i[0, 1] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
    %k = tensor.insert_slice %c into %f[0, 0] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%j, %k : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%x : f32, %y : f32, %o : f32):
      %0 = arith.addf %x, %y : f32
      linalg.yield %0 : f32
    } -> tensor<4x8xf32>
    device.emit @s, %s : tensor<4x8xf32>
    device.yield
  }
}

// -----

#in = affine_map<(a, b) -> (b, a)>
#id = affine_map<(a, b) -> (a, b)>

// What somebody else needs stays a transpose; slices that overlap stay a sum.
// CHECK-LABEL: device.module @stays
// CHECK: %[[T:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<8x4xf32>)
// CHECK: tensor.extract_slice %[[T]]
// CHECK: tensor.insert_slice
// CHECK: tensor.insert_slice
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<4x4xf32>)
device.module @stays {
  device.queue @train columns ["x"] (tensor<4x8xf32>) depth(2)
  device.report @t : tensor<8x4xf32>
  device.report @s : tensor<4x4xf32>
  device.report @u : tensor<4x4xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %t = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%a : f32, %o : f32):
      linalg.yield %a : f32
    } -> tensor<8x4xf32>
    %s = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
    %half = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<4x8xf32> to tensor<2x4xf32>
    %eu = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%eu : tensor<4x4xf32>) -> tensor<4x4xf32>
    %i = tensor.insert_slice %half into %f[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %j = tensor.insert_slice %half into %f[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
    %u = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%i, %j : tensor<4x4xf32>, tensor<4x4xf32>) outs(%eu : tensor<4x4xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<4x4xf32>
    device.emit @t, %t : tensor<8x4xf32>
    device.emit @s, %s : tensor<4x4xf32>
    device.emit @u, %u : tensor<4x4xf32>
    device.yield
  }
}
