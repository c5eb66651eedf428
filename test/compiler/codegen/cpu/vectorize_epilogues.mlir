// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-vectorize-contractions=target-cpu=x86-64-v4 --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v3 --plumb-vectorize-contractions=target-cpu=x86-64-v3 --split-input-file | FileCheck %s --check-prefix=AVX2

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The update is done on the accumulators: the weight is loaded and stored, the
// gradient neither.
// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<8x16xf32>)
// CHECK: %[[G:.*]] = memref.alloca
// CHECK: %[[IN:.*]] = memref.reinterpret_cast %[[W]]
// CHECK: %[[GRADIENT:.*]] = memref.reinterpret_cast %[[G]]
// CHECK: %[[OUT:.*]] = memref.reinterpret_cast %[[W]]
// CHECK-NOT: %[[GRADIENT]]
// CHECK: vector.fma
// CHECK: %[[OLD:.*]] = vector.load %[[IN]]
// CHECK: %[[NEW:.*]] = arith.subf %[[OLD]], %{{.*}} : vector<16xf32>
// CHECK: vector.store %[[NEW]], %[[OUT]]
// CHECK-NOT: linalg
func.func @update(%x: memref<8x4xf32>, %d: memref<4x16xf32>, %w: memref<8x16xf32>) {
  %z = arith.constant 0.0 : f32
  %g = memref.alloca() : memref<8x16xf32>
  linalg.fill ins(%z : f32) outs(%g : memref<8x16xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %d : memref<8x4xf32>, memref<4x16xf32>) outs(%g : memref<8x16xf32>) attrs = {kernel.transient} {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %g : memref<8x16xf32>, memref<8x16xf32>) outs(%w : memref<8x16xf32>) attrs = {kernel.epilogue} {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.subf %i, %j : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#x = affine_map<(o, h, w, n, i) -> (h + i, w, n)>
#k = affine_map<(o, h, w, n, i) -> (o, i)>
#y = affine_map<(o, h, w, n, i) -> (o, h, w, n)>
#id = affine_map<(o, h, w, n) -> (o, h, w, n)>
#in = affine_map<(o, h, w, n, i, j) -> (o, h * 2 + i, w * 2 + j, n)>
#window = affine_map<(o, h, w, n, i, j) -> (i, j)>
#out = affine_map<(o, h, w, n, i, j) -> (o, h, w, n)>

// Windows of the image are in registers as wholes: only their maxima are stored.
// CHECK-LABEL: func.func @pool(
// CHECK-SAME: %[[P:[a-z0-9]*]]: memref<2x2x3x16xf32>)
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %[[P]]
// CHECK-COUNT-4: arith.maximumf
// CHECK: vector.store %{{.*}}, %[[FLAT]]
// CHECK-NOT: linalg
func.func @pool(%x: memref<6x6x16xf32>, %k: memref<2x3xf32>, %p: memref<2x2x3x16xf32>) {
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %y = memref.alloca() : memref<2x4x6x16xf32>
  %window = memref.alloca() : memref<2x2xf32>
  linalg.fill ins(%z : f32) outs(%y : memref<2x4x6x16xf32>)
  linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : memref<6x6x16xf32>, memref<2x3xf32>) outs(%y : memref<2x4x6x16xf32>) attrs = {kernel.transient} {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.fill {kernel.epilogue} ins(%low : f32) outs(%p : memref<2x2x3x16xf32>)
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%y, %window : memref<2x4x6x16xf32>, memref<2x2xf32>) outs(%p : memref<2x2x3x16xf32>) attrs = {kernel.epilogue} {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.maximumf %o, %i : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#x = affine_map<(o, h, w, n, c, i, j) -> (c, h + i, w + j, n)>
#k = affine_map<(o, h, w, n, c, i, j) -> (o, c, i, j)>
#y = affine_map<(o, h, w, n, c, i, j) -> (o, h, w, n)>
#in = affine_map<(o, h, w, n, i, j) -> (o, h * 2 + i, w * 2 + j, n)>
#window = affine_map<(o, h, w, n, i, j) -> (i, j)>
#out = affine_map<(o, h, w, n, i, j) -> (o, h, w, n)>

// Long sums: in sixteen registers whole windows cost more than a pass over the results, in thirty-two they do not.
// CHECK-LABEL: func.func @long_sums(
// CHECK-NOT: linalg
// AVX2-LABEL: func.func @long_sums(
// AVX2: linalg.fill
// AVX2: linalg.generic
func.func @long_sums(%x: memref<6x14x14x16xf32>, %k: memref<16x6x5x5xf32>, %p: memref<16x5x5x16xf32>) {
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %y = memref.alloca() : memref<16x10x10x16xf32>
  %window = memref.alloca() : memref<2x2xf32>
  linalg.fill ins(%z : f32) outs(%y : memref<16x10x10x16xf32>)
  linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %k : memref<6x14x14x16xf32>, memref<16x6x5x5xf32>) outs(%y : memref<16x10x10x16xf32>) attrs = {kernel.transient} {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.fill {kernel.epilogue} ins(%low : f32) outs(%p : memref<16x5x5x16xf32>)
  linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%y, %window : memref<16x10x10x16xf32>, memref<2x2xf32>) outs(%p : memref<16x5x5x16xf32>) attrs = {kernel.epilogue} {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.maximumf %i, %o : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#a = affine_map<(n, w, o, c) -> (n, w, c)>
#b = affine_map<(n, w, o, c) -> (c, o)>
#c = affine_map<(n, w, o, c) -> (n, w, o)>
#id = affine_map<(n, w, o) -> (n, w, o)>
#row = affine_map<(n, w, o) -> (n, o)>

// Each tile folds its pixels into a few sums, these into what there is, and stores that.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[P:[a-z0-9]*]]: memref<2x16xf32>)
// CHECK: linalg.fill {{.*}}outs(%[[P]]
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %[[P]]
// CHECK: vector.fma
// CHECK: %[[OLD:.*]] = vector.load %[[FLAT]]
// CHECK: %[[S0:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: %[[S1:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: %[[H0:.*]] = arith.addf %[[S0]], %[[S1]] : vector<16xf32>
// CHECK-NEXT: %[[H1:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[H0]], %[[H1]] : vector<16xf32>
// CHECK: vector.store %[[SUM]], %[[FLAT]]
// CHECK-NOT: linalg
func.func @sums(%x: memref<2x8x5xf32>, %k: memref<5x16xf32>, %y: memref<2x8x16xf32>, %p: memref<2x16xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%p : memref<2x16xf32>)
  linalg.fill ins(%z : f32) outs(%y : memref<2x8x16xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %k : memref<2x8x5xf32>, memref<5x16xf32>) outs(%y : memref<2x8x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y : memref<2x8x16xf32>) outs(%p : memref<2x16xf32>) attrs = {kernel.epilogue} {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// A mask after a convolution is prefetched before the convolution's reduction, and once, though two operations read it.
// CHECK-LABEL: func.func @masked(
// CHECK-SAME: %[[M:[a-z0-9]*]]: memref<32x32x16xf32>
// CHECK: %[[MASK:.*]] = memref.reinterpret_cast %[[M]]
// CHECK: memref.prefetch %[[MASK]]
// CHECK: vector.fma
// CHECK: vector.load %[[MASK]]
// CHECK-NOT: linalg
func.func @masked(%x: memref<32x32x8xf32>, %k: memref<3x3x8x16xf32>, %m: memref<32x32x16xf32>, %y: memref<32x32x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %x low [1, 1, 0] high [1, 1, 0] : memref<32x32x8xf32> to memref<34x34x8xf32, strided<[256, 8, 1]>>
  linalg.fill ins(%zero : f32) outs(%y : memref<32x32x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(y, x, o, i, j, c) -> (y + i, x + j, c)>, affine_map<(y, x, o, i, j, c) -> (i, j, c, o)>, affine_map<(y, x, o, i, j, c) -> (y, x, o)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %k : memref<34x34x8xf32, strided<[256, 8, 1]>>, memref<3x3x8x16xf32>) outs(%y : memref<32x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(y, x, o) -> (y, x, o)>, affine_map<(y, x, o) -> (y, x, o)>, affine_map<(y, x, o) -> (y, x, o)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %m : memref<32x32x16xf32>, memref<32x32x16xf32>) outs(%y : memref<32x32x16xf32>) attrs = {kernel.epilogue} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.cmpf ogt, %b, %zero : f32
    %1 = arith.select %0, %a, %zero : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// So is a large result, row by row, to be written: before each part of the sum a row, from which the next row is one step
// away, as is each part's end from its beginning.
// CHECK-LABEL: func.func @large_result(
// CHECK: scf.for {{.*}}, %[[FROM:[a-z0-9]*]] = %{{[a-z0-9]*}}, %[[ROW:[a-z0-9]*]] = %{{[a-z0-9]*}}) -> (
// CHECK-NEXT: memref.prefetch %{{.*}}[%[[ROW]]], write, locality<3>, data : memref<131072xf32>
// CHECK: %[[WHOLE:.*]] = arith.addi %[[FROM]], %{{.*}}
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[WHOLE]], %{{.*}}
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[END]]
// CHECK: vector.fma
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]], %c512
// CHECK-NEXT: scf.yield {{.*}}, %[[END]], %[[NEXT]] :
// CHECK: vector.store {{.*}} memref<131072xf32>
func.func @large_result(%a: memref<256x128xf32>, %b: memref<128x512xf32>, %c: memref<256x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x512xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x128xf32>, memref<128x512xf32>) outs(%c : memref<256x512xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// What an update reads and writes in place is asked for to be written at once: a line that another core has, too, is slow
// to get back. What it only reads is not. 32 iterations have time for twelve rows, one by one.
// CHECK-LABEL: func.func @update(
// CHECK-SAME: %[[W:[a-z0-9]*]]: memref<120x400xf32>, %[[D:[a-z0-9]*]]: memref<120x400xf32>
// CHECK-DAG: %[[WEIGHT:.*]] = memref.reinterpret_cast %[[W]]
// CHECK-DAG: %[[DECAY:.*]] = memref.reinterpret_cast %[[D]]
// CHECK: memref.prefetch %[[WEIGHT]][%[[ROW:arg[0-9]+]]], write
// CHECK: memref.prefetch %[[DECAY]][%{{arg[0-9]+}}], read
// CHECK: scf.for
// CHECK: vector.fma
// CHECK: arith.addi %[[ROW]], %c400
func.func @update(%w: memref<120x400xf32>, %d: memref<120x400xf32>, %a: memref<32x120xf32>, %b: memref<32x400xf32>, %g: memref<120x400xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%g : memref<120x400xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<32x120xf32>, memref<32x400xf32>) outs(%g : memref<120x400xf32>) attrs = {kernel.transient} {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%g, %w, %d : memref<120x400xf32>, memref<120x400xf32>, memref<120x400xf32>) outs(%w : memref<120x400xf32>) attrs = {kernel.epilogue} {
  ^bb0(%x: f32, %v: f32, %f: f32, %o: f32):
    %m = arith.mulf %v, %f : f32
    %r = arith.subf %m, %x : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// What is folded in a product's end may add products up itself.
// CHECK-LABEL: func.func @folds_products(
// CHECK: vector.fma
// CHECK-NOT: linalg
func.func @folds_products(%a: memref<32x64xf32>, %b: memref<64x16xf32>, %z: memref<32x16xf32>, %y: memref<32x16xf32>, %s: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<16xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<32x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<32x64xf32>, memref<64x16xf32>) outs(%y : memref<32x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %n = arith.addf %sum, %p : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%y, %z : memref<32x16xf32>, memref<32x16xf32>) outs(%s : memref<16xf32>) attrs = {kernel.epilogue} {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %n = arith.addf %sum, %p : f32
    linalg.yield %n : f32
  }
  return
}
