// RUN: plumb-opt %s --plumb-pack-contractions=target-cpu=x86-64-v4 --split-input-file | FileCheck %s

// Both operands are contiguous along the sum. Turning the smaller one, and the
// result back, makes 32 rows the lanes.
// CHECK-LABEL: func.func @transposed(
// CHECK: %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<400x32xf32>
// CHECK: linalg.transpose ins(%{{.*}} : memref<32x400xf32>) outs(%[[A]] : memref<400x32xf32>) permutation = [1, 0]
// CHECK: %[[C:.*]] = memref.alloca() {alignment = 64 : i64} : memref<120x32xf32>
// CHECK: linalg.fill {{.*}} outs(%[[C]]
// CHECK: linalg.generic {{.*}} ins(%[[A]], %{{.*}} outs(%[[C]]
// CHECK: linalg.transpose ins(%[[C]] : memref<120x32xf32>) outs(%{{.*}} : memref<32x120xf32>) permutation = [1, 0]
func.func @transposed(%a: memref<32x400xf32>, %b: memref<120x400xf32>, %c: memref<32x120xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x120xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<32x400xf32>, memref<120x400xf32>) outs(%c : memref<32x120xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What is contiguous already stays as it is.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul
func.func @plain(%a: memref<32x400xf32>, %b: memref<400x128xf32>, %c: memref<32x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x128xf32>)
  linalg.matmul ins(%a, %b : memref<32x400xf32>, memref<400x128xf32>) outs(%c : memref<32x128xf32>)
  return
}

// -----

// Every element is used once, so that turning the arrays costs more than it saves.
// CHECK-LABEL: func.func @dots_of_rows(
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @dots_of_rows(%a: memref<64x64x64xf32>, %b: memref<64x64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, m, k) -> (b, m, k)>, affine_map<(b, m, k) -> (b, m, k)>,
                                   affine_map<(b, m, k) -> (b, m)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64x64xf32>, memref<64x64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// In a loop the scratch memory is the end of the arena.
// CHECK: device.module @net attributes {arena_bytes = 67072 : i64}
// CHECK: device.arena.view offset 512 : memref<400x32xf32>
// CHECK: device.arena.view offset 51712 : memref<120x32xf32>
device.module @net attributes {arena_bytes = 512 : i64} {
  device.variable @a : tensor<32x400xf32> = dense<0.0> : tensor<32x400xf32> {offset = 0 : i64}
  device.variable @b : tensor<120x400xf32> = dense<0.0> : tensor<120x400xf32> {offset = 51200 : i64}
  device.variable @c : tensor<32x120xf32> = dense<0.0> : tensor<32x120xf32> {offset = 243200 : i64}
  device.loop @train {mode = "train"} {
    %a = device.variable.view @a : memref<32x400xf32>
    %b = device.variable.view @b : memref<120x400xf32>
    %c = device.variable.view @c : memref<32x120xf32>
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%c : memref<32x120xf32>)
    linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : memref<32x400xf32>, memref<120x400xf32>) outs(%c : memref<32x120xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %sum, %0 : f32
      linalg.yield %1 : f32
    }
    device.yield
  }
}

// -----

// The search for blocks of a sum takes no longer than its logarithm: no machine holds more than this one's operands.
// CHECK-LABEL: func.func @huge(
// CHECK: linalg.generic
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @huge(%x: memref<4x4294967296xf32>, %w: memref<4294967296x8xf32>, %y: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<4x8xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x4294967296xf32>, memref<4294967296x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// Around a padded image, rows of a depthwise window are no lanes. Copies of 36 MB make it many times as fast.
// CHECK-LABEL: func.func @depthwise(
// CHECK: linalg.transpose ins(%{{.*}} : memref<128x32x32x32xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK: linalg.generic
// CHECK: linalg.transpose ins(%{{.*}} : memref<128x32x32x32xf32>) {{.*}} permutation = [0, 3, 1, 2]
#image = affine_map<(n, c, h, w, i, j) -> (n, c, h + i, w + j)>
#window = affine_map<(n, c, h, w, i, j) -> (c, i, j)>
#result = affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>
#padded = strided<[32768, 1024, 32, 1]>
func.func @depthwise(%x: memref<128x32x32x32xf32>, %k: memref<32x3x3xf32>, %y: memref<128x32x32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %x low [0, 0, 1, 1] high [0, 0, 1, 1] : memref<128x32x32x32xf32> to memref<128x32x34x34xf32, #padded>
  linalg.fill ins(%zero : f32) outs(%y : memref<128x32x32x32xf32>)
  linalg.generic {indexing_maps = [#image, #window, #result],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %k : memref<128x32x34x34xf32, #padded>, memref<32x3x3xf32>) outs(%y : memref<128x32x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  }
  return
}
