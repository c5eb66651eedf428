// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-vectorize-contractions=target-cpu=x86-64-v4 --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v3 --plumb-vectorize-contractions=target-cpu=x86-64-v3 --split-input-file | FileCheck %s --check-prefix=AVX2
// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v2 --plumb-vectorize-contractions=target-cpu=x86-64-v2 --split-input-file | FileCheck %s --check-prefix=SSE

// A product: lanes along the columns, the fill swallowed, sums in registers. The reduction's loop carries the place in
// one input, and is one itself in the other.
// CHECK-LABEL: func.func @matmul(
// CHECK-NOT: linalg
// CHECK: scf.for %[[A:[a-z0-9]+]] = {{.*}} iter_args({{.*}}, %[[B:[a-z0-9]+]] = %c{{[_0-9]+}}) -> (vector<16xf32>
// CHECK-NOT: arith.muli
// CHECK: memref.load %{{.*}}[%[[A]]]
// CHECK: vector.load %{{.*}}[%[[B]]] : {{.*}} vector<16xf32>
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: %[[NEXT:.*]] = arith.addi %[[B]], %c48{{[_0-9]*}} : index
// CHECK-NEXT: scf.yield {{.*}}, %[[NEXT]] :
// CHECK: vector.store {{.*}} vector<16xf32>
// AVX2-LABEL: func.func @matmul(
// AVX2: vector.fma {{.*}} : vector<8xf32>
// No fused multiply-add without AVX2; it would be a call of libm.
// SSE-LABEL: func.func @matmul(
// SSE-NOT: vector.fma
// SSE: arith.mulf {{.*}} : vector<4xf32>
func.func @matmul(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x48xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

// Lanes along the reduction: the lanes of all six results are summed together,
// halves of two at a time, and stored as one vector.
// CHECK-LABEL: func.func @transposed(
// CHECK: vector.fma
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31] : vector<16xf32>, vector<16xf32>
// CHECK-NOT: vector.reduction
// CHECK: vector.maskedstore {{.*}} : memref<6xf32>, vector<16xi1>, vector<16xf32>
func.func @transposed(%a: memref<2x256xf32>, %b: memref<3x256xf32>, %c: memref<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x3xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x256xf32>, memref<3x256xf32>) outs(%c : memref<2x3xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Results that are no neighbours are stored one by one.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: vector.reduction
// CHECK-COUNT-4: vector.extract
// CHECK-NOT: vector.extract
func.func @apart(%a: memref<2x256xf32>, %b: memref<2x256xf32>, %c: memref<2x2xf32, strided<[7, 3]>>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x256xf32>, memref<2x256xf32>) outs(%c : memref<2x2xf32, strided<[7, 3]>>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Backward weights of images whose batch lies innermost: columns stay a loop of
// their own beside the batch, so that one column serves all taps of a row.
// CHECK-LABEL: func.func @batch_innermost(
// CHECK: :26 = scf.for
// CHECK: %[[WAY:.*]] = arith.muli %c12
// CHECK: %[[BEHIND:.*]] = arith.addi %{{.*}}, %[[WAY]]
// CHECK: :26 = scf.for {{.*}} to %[[BEHIND]] step %c16
// CHECK: return
func.func @batch_innermost(%x: memref<20x20x16xf32>, %dy: memref<16x16x16xf32>, %dw: memref<5x5xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, h, w, b) -> (h + i, w + j, b)>, affine_map<(i, j, h, w, b) -> (h, w, b)>,
                                   affine_map<(i, j, h, w, b) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %dy : memref<20x20x16xf32>, memref<16x16x16xf32>) outs(%dw : memref<5x5xf32>) {
  ^bb0(%in: f32, %gradient: f32, %sum: f32):
    %0 = arith.mulf %in, %gradient : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A convolution over rows of 28: a whole vector and a masked one.
// CHECK-LABEL: func.func @convolution(
// CHECK: vector.constant_mask [12] : vector<16xi1>
// CHECK: vector.maskedload
// CHECK: vector.fma
// CHECK: vector.maskedstore
func.func @convolution(%x: memref<2x1x32x32xf32>, %w: memref<6x1x5x5xf32>, %y: memref<2x6x28x28xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x6x28x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<2x1x32x32xf32>, memref<6x1x5x5xf32>) outs(%y : memref<2x6x28x28xf32>)
  return
}

// -----

// Without a fill the sums start from the output; a fill of another buffer stays.
// CHECK-LABEL: func.func @accumulate(
// CHECK: linalg.fill
// CHECK: vector.load %{{.*}}[%{{.*}}] : memref<512xf32>
func.func @accumulate(%a: memref<16x16xf32>, %b: memref<16x32xf32>, %c: memref<16x32xf32>, %d: memref<16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%d : memref<16x32xf32>)
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x32xf32>) outs(%c : memref<16x32xf32>)
  return
}

// -----

// Backward data of a convolution of ten rows, batch innermost: a gathering with the kernel backward, row by row, over the
// window's rows that exist there and no others; near the borders of a row, products with what is outside are not emitted.
// CHECK-LABEL: func.func @backward_data(
// CHECK-NOT: linalg
// CHECK: %[[FROM:.*]] = affine.max #{{[a-z0-9]+}}(%[[ROW:[a-z0-9]+]], %{{.*}})
// CHECK: %[[TO:.*]] = affine.min #{{[a-z0-9]+}}(%[[ROW]], %{{.*}})
// CHECK: %[[COUNT:.*]] = arith.subi %[[TO]], %[[FROM]]
// CHECK: %[[WAY:.*]] = arith.muli %[[COUNT]],
// CHECK: %[[BEHIND:.*]] = arith.addi %{{.*}}, %[[WAY]]
// CHECK: scf.for {{.*}} to %[[BEHIND]] step
// CHECK: vector.fma {{.*}} : vector<16xf32>
func.func @backward_data(%dy: memref<16x10x10x32xf32>, %k: memref<16x6x5x5xf32>, %dx: memref<6x14x14x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %dy low [0, 4, 4, 0] high [0, 4, 4, 0] : memref<16x10x10x32xf32> to memref<16x18x18x32xf32, strided<[3200, 320, 32, 1]>>
  linalg.fill ins(%zero : f32) outs(%dx : memref<6x14x14x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(c, y, x, o, i, j, n) -> (o, y - i + 4, x - j + 4, n)>, affine_map<(c, y, x, o, i, j, n) -> (o, c, i, j)>, affine_map<(c, y, x, o, i, j, n) -> (c, y, x, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]}
      ins(%p, %k : memref<16x18x18x32xf32, strided<[3200, 320, 32, 1]>>, memref<16x6x5x5xf32>) outs(%dx : memref<6x14x14x32xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What is scattered to is no accumulator: left to plain loops.
// CHECK-LABEL: func.func @scatter(
// CHECK: linalg.generic
func.func @scatter(%x: memref<8xf32>, %k: memref<3xf32>, %y: memref<17xf32>) {
  linalg.generic {indexing_maps = [affine_map<(h, i) -> (h)>, affine_map<(h, i) -> (i)>, affine_map<(h, i) -> (h * 2 + i)>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x, %k : memref<8xf32>, memref<3xf32>) outs(%y : memref<17xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A convolution within a pad of one: rows outside are no iterations, columns outside no instructions. Tiles at the two
// ends of a row are different code. Each pixel is used by all its taps before the next one is loaded.
// CHECK-LABEL: func.func @padded(

// CHECK: %[[FROM:.*]] = affine.max #{{[a-z0-9]+}}(%[[ROW:[a-z0-9]+]], %{{.*}})
// CHECK: %[[TO:.*]] = affine.min #{{[a-z0-9]+}}(%[[ROW]], %{{.*}})
// CHECK: %[[COUNT:.*]] = arith.subi %[[TO]], %[[FROM]]
// CHECK: %[[WAY:.*]] = arith.muli %[[COUNT]],
// CHECK: %[[BEHIND:.*]] = arith.addi %{{.*}}, %[[WAY]]
// CHECK: scf.for {{.*}} to %[[BEHIND]] step
// CHECK: vector.fma %{{.*}} : vector<16xf32>
// CHECK: vector.fma %[[SECOND:.*]], %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: vector.fma %[[SECOND]], %
// CHECK: vector.fma %[[THIRD:.*]], %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: vector.fma %[[THIRD]], %
// CHECK: vector.fma %[[THIRD]], %
func.func @padded(%x: memref<32x32x8xf32>, %k: memref<3x3x8x16xf32>, %y: memref<32x32x16xf32>) {
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
  return
}

// -----

// Backward weights: image by image; a column of the image, read once by one broadcast per channel, serves the three taps
// of a row, for which the result's neighbours are at hand; each row asks for some of the next image.
// CHECK-LABEL: func.func @backward_weights(
// CHECK: scf.for %[[IMAGE:.*]] = %c0{{.*}} to %c128
// CHECK: memref.prefetch %{{.*}}, read, locality<2>, data
// CHECK: scf.for
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK: vector.fma {{.*}} : vector<16xf32>
func.func @backward_weights(%x: memref<128x32x32x16xf32>, %dy: memref<128x32x32x16xf32>, %dk: memref<3x3x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %x low [0, 1, 1, 0] high [0, 1, 1, 0] : memref<128x32x32x16xf32> to memref<128x34x34x16xf32, strided<[16384, 512, 16, 1]>>
  linalg.fill ins(%zero : f32) outs(%dk : memref<3x3x16x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, c, o, n, h, w) -> (n, h + i, w + j, c)>, affine_map<(i, j, c, o, n, h, w) -> (n, h, w, o)>, affine_map<(i, j, c, o, n, h, w) -> (i, j, c, o)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %dy : memref<128x34x34x16xf32, strided<[16384, 512, 16, 1]>>, memref<128x32x32x16xf32>) outs(%dk : memref<3x3x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Sixteen registers do not hold what three taps share beside accumulators enough: each tap is a product with a long sum,
// of twelve accumulators. At an end of a row, one pixel of six has one tap less.
// AVX2-LABEL: func.func @taps(
// AVX2: scf.for {{.*}} step %c2_
// AVX2-COUNT-20: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: vector.fma
// AVX2: scf.yield
// AVX2: scf.for {{.*}} step %c2_
// AVX2-COUNT-24: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: vector.fma
// AVX2: scf.yield
func.func @taps(%x: memref<16x16x32xf32>, %k: memref<3x3x32x32xf32>, %y: memref<16x16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %x low [1, 1, 0] high [1, 1, 0] : memref<16x16x32xf32> to memref<18x18x32xf32, strided<[512, 32, 1]>>
  linalg.fill ins(%zero : f32) outs(%y : memref<16x16x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(y, x, o, i, j, c) -> (y + i, x + j, c)>, affine_map<(y, x, o, i, j, c) -> (i, j, c, o)>, affine_map<(y, x, o, i, j, c) -> (y, x, o)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %k : memref<18x18x32xf32, strided<[512, 32, 1]>>, memref<3x3x32x32xf32>) outs(%y : memref<16x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Four pixels times three vectors of channels: fifteen registers wait, and the last one takes pixel after pixel.
// AVX2-LABEL: func.func @wide_taps(
// AVX2: scf.for {{.*}} step %c24
// AVX2: scf.for {{.*}} step %c2_
// AVX2-COUNT-18: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: vector.fma
// AVX2: scf.yield
// AVX2: scf.for {{.*}} step %c2_
// AVX2-COUNT-24: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: vector.fma
// AVX2: scf.yield
func.func @wide_taps(%x: memref<8x8x64xf32>, %k: memref<3x3x64x64xf32>, %y: memref<8x8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %x low [1, 1, 0] high [1, 1, 0] : memref<8x8x64xf32> to memref<10x10x64xf32, strided<[512, 64, 1]>>
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(y, x, o, i, j, c) -> (y + i, x + j, c)>, affine_map<(y, x, o, i, j, c) -> (i, j, c, o)>, affine_map<(y, x, o, i, j, c) -> (y, x, o)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %k : memref<10x10x64xf32, strided<[512, 64, 1]>>, memref<3x3x64x64xf32>) outs(%y : memref<8x8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Rows of eight under a window of three: two of its places meet seven pixels, which are one turn.
// CHECK-LABEL: func.func @short_rows(
// CHECK: scf.for {{.*}} step %c448 iter_args
func.func @short_rows(%x: memref<128x8x8x64xf32>, %dy: memref<128x8x8x64xf32>, %dk: memref<3x3x64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = device.halo %x low [0, 1, 1, 0] high [0, 1, 1, 0] : memref<128x8x8x64xf32> to memref<128x10x10x64xf32, strided<[4096, 512, 64, 1]>>
  linalg.fill ins(%zero : f32) outs(%dk : memref<3x3x64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, c, o, n, h, w) -> (n, h + i, w + j, c)>, affine_map<(i, j, c, o, n, h, w) -> (n, h, w, o)>, affine_map<(i, j, c, o, n, h, w) -> (i, j, c, o)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %dy : memref<128x10x10x64xf32, strided<[4096, 512, 64, 1]>>, memref<128x8x8x64xf32>) outs(%dk : memref<3x3x64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Weights of every second pixel, whose rows of sixteen are short: each asks for the next one.
// CHECK-LABEL: func.func @next_row(
// CHECK: scf.for %[[PIXEL:.*]] = {{.*}} step %c64{{.*}} iter_args
// CHECK: %[[ROW:.*]] = arith.constant 1024 : index
// CHECK: %[[NEXT:.*]] = arith.addi %[[PIXEL]], %[[ROW]]
// CHECK: memref.prefetch {{.*}}[%[[NEXT]]], read, locality<3>
func.func @next_row(%x: memref<128x16x16x16xf32, strided<[16384, 1024, 32, 1]>>, %dy: memref<128x16x16x32xf32>, %dk: memref<16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%dk : memref<16x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(c, o, n, h, w) -> (n, h, w, c)>, affine_map<(c, o, n, h, w) -> (n, h, w, o)>, affine_map<(c, o, n, h, w) -> (c, o)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %dy : memref<128x16x16x16xf32, strided<[16384, 1024, 32, 1]>>, memref<128x16x16x32xf32>) outs(%dk : memref<16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A large product: blocks of the reduction outside, both operands copied into panels, accumulators read again in all but the first block.
// CHECK-LABEL: func.func @large(
// CHECK: memref.alloca
// CHECK: scf.for
// CHECK: arith.cmpi eq
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: vector.load
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: vector.store
func.func @large(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1024x1024xf32>)
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

// -----

// The right operand's neighbours lie along the reduction: it is copied, turned, into panels with lanes along the columns.
// CHECK-LABEL: func.func @turned(
// CHECK-NOT: vector.reduction
// CHECK: memref.alloca
// CHECK: linalg.generic
// CHECK: vector.fma {{.*}} : vector<16xf32>
func.func @turned(%a: memref<128x512xf32>, %b: memref<256x512xf32>, %c: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x512xf32>, memref<256x512xf32>) outs(%c : memref<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Elements of the left operand lie side by side in rows that are apart: they are copied into a panel, as requests for parts
// of rows would ask for each line several times.
// CHECK-LABEL: func.func @side_by_side(
// CHECK: memref.alloca
// CHECK: vector.fma {{.*}} : vector<16xf32>
func.func @side_by_side(%a: memref<128x256xf32, strided<[512, 1]>>, %b: memref<128x512xf32>, %c: memref<256x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x512xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<128x256xf32, strided<[512, 1]>>, memref<128x512xf32>) outs(%c : memref<256x512xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Rows of b are read again by each tile of rows and do not fit in the nearest cache: the innermost loop asks for those of
// later iterations.
// CHECK-LABEL: func.func @streamed(
// CHECK: scf.for {{.*}} iter_args(
// CHECK: memref.prefetch %{{.*}}[%{{.*}}], read, locality<3>, data : memref<{{[0-9]+}}xf32>
// CHECK: vector.fma
// CHECK: scf.yield
func.func @streamed(%a: memref<128x512xf32>, %b: memref<512x512xf32>, %c: memref<128x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x512xf32>)
  linalg.matmul ins(%a, %b : memref<128x512xf32>, memref<512x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

// -----

// What a register tile broadcasts lies side by side, on one line or on two: both are asked for.
// CHECK-LABEL: func.func @straddling(
// CHECK: arith.constant 4096 : index
// CHECK: memref.prefetch
// CHECK: arith.constant 4109 : index
// CHECK: memref.prefetch
// CHECK: vector.fma
func.func @straddling(%a: memref<1024x512xf32>, %b: memref<1024x128xf32>, %c: memref<512x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1024x512xf32>, memref<1024x128xf32>) outs(%c : memref<512x128xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The heads of a batch are computed while those of the next one are on their way to the second cache.
// CHECK-LABEL: func.func @batches(
// CHECK: scf.for
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK: vector.fma
func.func @batches(%a: memref<8x4x64x64xf32>, %b: memref<8x64x4x64xf32, strided<[49152, 768, 64, 1]>>,
                   %c: memref<8x4x64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<8x4x64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>,
                                   affine_map<(b, h, m, n, k) -> (b, k, h, n)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x4x64x64xf32>, memref<8x64x4x64xf32, strided<[49152, 768, 64, 1]>>) outs(%c : memref<8x4x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A chunk of two images is smaller than L2, but part of more: each prefetches the next one.
// CHECK-LABEL: func.func @few_batches(
// CHECK: scf.for
// CHECK: memref.prefetch %{{.*}}[%{{.*}}], read, locality<2>, data
// CHECK: vector.fma
func.func @few_batches(%a: memref<2x4x64x64xf32>, %b: memref<2x64x4x64xf32, strided<[49152, 768, 64, 1]>>,
                   %c: memref<2x4x64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x4x64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>,
                                   affine_map<(b, h, m, n, k) -> (b, k, h, n)>,
                                   affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2x4x64x64xf32>, memref<2x64x4x64xf32, strided<[49152, 768, 64, 1]>>) outs(%c : memref<2x4x64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A turn of a large product is four iterations, where rows of the second input are near each other.
// CHECK-LABEL: func.func @along_rows(
// CHECK: scf.for %[[A:[a-z0-9]+]] = {{.*}} step %c4{{[_0-9]*}} iter_args({{.*}}vector<16xf32>
// CHECK: memref.load %{{.*}}[%[[A]]]
// CHECK: %[[LAST:.*]] = arith.addi %[[A]], %c3{{[_0-9]*}} : index
// CHECK: memref.load %{{.*}}[%[[LAST]]]
func.func @along_rows(%a: memref<128x128xf32>, %b: memref<128x128xf32>, %c: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x128xf32>)
  linalg.matmul ins(%a, %b : memref<128x128xf32>, memref<128x128xf32>) outs(%c : memref<128x128xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @far_rows(
// CHECK: scf.for {{.*}} step %c1{{(_[0-9]+)?}} iter_args({{.*}}vector<16xf32>
func.func @far_rows(%a: memref<128x128xf32>, %b: memref<128x512xf32>, %c: memref<128x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x512xf32>)
  linalg.matmul ins(%a, %b : memref<128x128xf32>, memref<128x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

// -----

// Rows of two inputs, 2 KiB and 512 bytes apart: a block of the sum stays within the pages that a core finds at once.
// AVX2-LABEL: func.func @pages(
// AVX2: scf.for {{.*}} step %c128{{(_[0-9]+)?}}
// AVX2: scf.for {{.*}} step %c6{{(_[0-9]+)?}}
// AVX2: scf.for {{.*}} step %c16{{(_[0-9]+)?}}
func.func @pages(%a: memref<1024x128xf32>, %b: memref<1024x512xf32>, %c: memref<128x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<128x512xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1024x128xf32>, memref<1024x512xf32>) outs(%c : memref<128x512xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}
