// RUN: plumb-opt %s --plumb-outline-kernels --plumb-annotate-kernels | FileCheck %s

// Names tell kind and extents; the note has the work of one call: 2·8·16·32
// FLOPs, both operands read, the result, filled in the kernel, only written.
// CHECK-LABEL: device.loop @train
// CHECK: call @product_8x16x32(
// CHECK: call @map_add_max_8x16(
// CHECK: call @sum_8_by_16(
// CHECK: call @map_add_max_8x16(
// CHECK-LABEL: device.loop @eval
// CHECK: call @conv_4x6_by_3(
// CHECK: call @copy_8x16(
// CHECK: call @sum_8_by_16(
// CHECK: call @conv_4x8_by_3(
// CHECK: func.func private @product_8x16x32
// CHECK-SAME: kernel.info = #kernel.info<calls = {train = 1 : i64}, flops = 8192, read = 3072, written = 512, source = "{{.*}}">
// CHECK: func.func private @map_add_max_8x16
// CHECK-SAME: calls = {train = 2 : i64}, flops = 0, read = 576
// CHECK: func.func private @sum_8_by_16
// CHECK-SAME: calls = {eval = 1 : i64, train = 1 : i64}
// CHECK: func.func private @conv_4x6_by_3
// CHECK-SAME: flops = 144
// Of the 3·8 products of a padded row two meet zeros: 2·4·(3·8 - 2).
// CHECK: func.func private @conv_4x8_by_3
// CHECK-SAME: flops = 176, read = 80
#row = affine_map<(i, j, k) -> (i, k)>
#column = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (j)>
#first = affine_map<(i, j) -> (i)>
#slide = affine_map<(c, x, w) -> (x + w)>
#weights = affine_map<(c, x, w) -> (c, w)>
#image = affine_map<(c, x, w) -> (c, x)>
device.module @net attributes {arena_bytes = 8320 : i64} {
  device.loop @train {mode = "train"} {
    %zero = arith.constant 0.0 : f32
    %a = device.arena.view offset 0 : memref<8x32xf32>
    %b = device.arena.view offset 1024 : memref<32x16xf32>
    %c = device.arena.view offset 3072 : memref<8x16xf32>
    %bias = device.arena.view offset 3584 : memref<16xf32>
    %s = device.arena.view offset 3648 : memref<8xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<8x16xf32>)
    linalg.generic {indexing_maps = [#row, #column, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x32xf32>, memref<32x16xf32>) outs(%c : memref<8x16xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.mulf %x, %y : f32
      %q = arith.addf %z, %p : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : memref<8x16xf32>, memref<16xf32>) outs(%c : memref<8x16xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.addf %x, %y : f32
      %q = arith.maximumf %p, %zero : f32
      linalg.yield %q : f32
    }
    linalg.fill ins(%zero : f32) outs(%s : memref<8xf32>)
    linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%c : memref<8x16xf32>) outs(%s : memref<8xf32>) {
    ^bb0(%x: f32, %z: f32):
      %q = arith.addf %z, %x : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : memref<8x16xf32>, memref<16xf32>) outs(%c : memref<8x16xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %p = arith.addf %x, %y : f32
      %q = arith.maximumf %p, %zero : f32
      linalg.yield %q : f32
    }
    device.yield
  }
  device.loop @eval {mode = "eval"} {
    %zero = arith.constant 0.0 : f32
    %x = device.arena.view offset 0 : memref<8xf32>
    %w = device.arena.view offset 64 : memref<4x3xf32>
    %y = device.arena.view offset 128 : memref<4x6xf32>
    %c = device.arena.view offset 1024 : memref<8x16xf32>
    %d = device.arena.view offset 2048 : memref<8x16xf32>
    %s = device.arena.view offset 4096 : memref<8xf32>
    linalg.fill ins(%zero : f32) outs(%y : memref<4x6xf32>)
    linalg.generic {indexing_maps = [#slide, #weights, #image], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8xf32>, memref<4x3xf32>) outs(%y : memref<4x6xf32>) {
    ^bb0(%a: f32, %b: f32, %z: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %z, %p : f32
      linalg.yield %q : f32
    }
    linalg.copy ins(%c : memref<8x16xf32>) outs(%d : memref<8x16xf32>)
    %one = device.variable.view @w : memref<f32>
    device.emit @loss, %one : memref<f32>
    linalg.fill ins(%zero : f32) outs(%s : memref<8xf32>)
    linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%d : memref<8x16xf32>) outs(%s : memref<8xf32>) {
    ^bb0(%a: f32, %z: f32):
      %q = arith.addf %z, %a : f32
      linalg.yield %q : f32
    }
    %around = device.halo %x low [1] high [1] : memref<8xf32> to memref<10xf32, strided<[1]>>
    %v = device.arena.view offset 8192 : memref<4x8xf32>
    linalg.fill ins(%zero : f32) outs(%v : memref<4x8xf32>)
    linalg.generic {indexing_maps = [#slide, #weights, #image], iterator_types = ["parallel", "parallel", "reduction"]} ins(%around, %w : memref<10xf32, strided<[1]>>, memref<4x3xf32>) outs(%v : memref<4x8xf32>) {
    ^bb0(%a: f32, %b: f32, %z: f32):
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %z, %p : f32
      linalg.yield %q : f32
    }
    device.yield
  }
  device.variable @w : tensor<f32> = dense<1.0> : tensor<f32> {offset = 0 : i64}
  device.report @loss : tensor<f32> {offset = 8 : i64}
}
