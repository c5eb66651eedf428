// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 | FileCheck %s
// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2
// RUN: plumb-opt %s --plumb-select-plans=target-cpu=neoverse-n1 | FileCheck %s --check-prefix=NEON
// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-vectorize-contractions=target-cpu=x86-64-v4 | FileCheck %s --check-prefix=OBEYED

// A product: lanes along the columns, and the register tile of each target.
// CHECK-LABEL: func.func @product(
// CHECK: linalg.fill {kernel.plan = #kernel.plan<lanes = 16 x 4 along 0, order = [0 : 64]
// CHECK: linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 3 along 1, tiles = [0 : 8], order = [{{.*}}0 : 8{{.*}}], reductions = [2]{{.*}}cycles =
// AVX2-LABEL: func.func @product(
// AVX2: linalg.matmul {kernel.plan = #kernel.plan<lanes = 8 x
// NEON-LABEL: func.func @product(
// NEON: linalg.matmul {kernel.plan = #kernel.plan<lanes = 4 x
func.func @product(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x48xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// A product that reads a large matrix once: short blocks of its rows, the next one of which is prefetched during the
// current one.
// CHECK-LABEL: func.func @large_matrix(
// CHECK: linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x {{.*}} along 1, {{.*}}order = [2 : {{16|32|48|64}}, {{.*}}blocks = [{{.*}}1 : 0]
func.func @large_matrix(%a: memref<16x3000xf32>, %b: memref<3000x3000xf32>, %c: memref<16x3000xf32>) {
  linalg.matmul ins(%a, %b : memref<16x3000xf32>, memref<3000x3000xf32>) outs(%c : memref<16x3000xf32>)
  return
}

// Sums of rows: lanes along the reduction, with the rows of a register tile as independent chains.
// CHECK-LABEL: func.func @sums(
// CHECK: linalg.generic {{.*}}kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, tiles = [0 : 8]
func.func @sums(%x: memref<8x1000xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x1000xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %acc, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// The body uses the index of the reduction: lanes along it all the same.
// CHECK-LABEL: func.func @picked(
// CHECK: linalg.generic {{.*}}kernel.plan = #kernel.plan<lanes = 16 x 1 along 1
func.func @picked(%x: memref<32x4096xf32>, %class: memref<32xi32>, %y: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x, %class : memref<32x4096xf32>, memref<32xi32>) outs(%y : memref<32xf32>) {
  ^bb0(%in: f32, %k: i32, %acc: f32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.cmpi eq, %1, %k : i32
    %3 = arith.select %2, %in, %zero : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  }
  return
}

// Windows that overlap: the image is read in the order of memory, few rows at a time. Columns and channels are one loop.
// CHECK-LABEL: func.func @overlapping_windows(
// CHECK: linalg.generic {{.*}}kernel.plan = #kernel.plan<lanes = 16 x {{[0-9]}} along 4, {{.*}}order = [0 : {{[0-9]}}, 1 : {{[0-9]}}, 4 : {{[0-9]+}}]
func.func @overlapping_windows(%x: memref<16x30x30x256xf32>, %window: memref<3x3xf32>, %y: memref<16x28x28x256xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, i, j, p, q, c) -> (n, i + p, j + q, c)>,
                                   affine_map<(n, i, j, p, q, c) -> (p, q)>, affine_map<(n, i, j, p, q, c) -> (n, i, j, c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel"]}
      ins(%x, %window : memref<16x30x30x256xf32>, memref<3x3xf32>) outs(%y : memref<16x28x28x256xf32>) {
  ^bb0(%in: f32, %k: f32, %acc: f32):
    %0 = arith.maximumf %acc, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// Positions of maxima: tiles along rows read an image in order, tiles along channels would read a page of each.
// CHECK-LABEL: func.func @positions(
// CHECK: #kernel.plan<lanes = 16 x 1 along 3, tiles = {{.*}}2 : {{[0-9]+}}]
func.func @positions(%x: memref<16x64x34x34xf32>, %window: memref<3x3xf32>, %max: memref<16x64x16x16xf32>,
                     %y: memref<16x64x16x16xi32>) {
  %columns = arith.constant 3 : i32
  linalg.generic {indexing_maps = [affine_map<(n, c, h, w, i, j) -> (n, c, h * 2 + i, w * 2 + j)>,
                                   affine_map<(n, c, h, w, i, j) -> (i, j)>,
                                   affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>,
                                   affine_map<(n, c, h, w, i, j) -> (n, c, h, w)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window, %max : memref<16x64x34x34xf32>, memref<3x3xf32>, memref<16x64x16x16xf32>)
      outs(%y : memref<16x64x16x16xi32>) {
  ^bb0(%in: f32, %shape: f32, %best: f32, %out: i32):
    %is_best = arith.cmpf oeq, %in, %best : f32
    %row = linalg.index 4 : index
    %column = linalg.index 5 : index
    %i = arith.index_cast %row : index to i32
    %j = arith.index_cast %column : index to i32
    %first = arith.muli %i, %columns : i32
    %position = arith.addi %first, %j : i32
    %new = arith.select %is_best, %position, %out : i32
    %least = arith.minsi %out, %new : i32
    linalg.yield %least : i32
  }
  return
}

// A transpose: squares in registers.
// CHECK-LABEL: func.func @transpose(
// CHECK: linalg.transpose {{.*}}transposed = [0]
func.func @transpose(%x: memref<64x128xf32>, %y: memref<128x64xf32>) {
  linalg.transpose ins(%x : memref<64x128xf32>) outs(%y : memref<128x64xf32>) permutation = [1, 0]
  return
}

// Two results in two orders: lanes along the last loop of the first one, and squares of the second one are transposed.
// CHECK-LABEL: func.func @two_orders(
// CHECK: linalg.generic {{.*}}kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, tiles = [0 : 16], {{.*}}transposed = [3]
func.func @two_orders(%x: memref<64x128xf32>, %y: memref<64x128xf32>, %r: memref<64x128xf32>, %t: memref<128x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<64x128xf32>, memref<64x128xf32>) outs(%r, %t : memref<64x128xf32>, memref<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// A plan that is there stays, and is emitted: four rows of two vectors.
// CHECK-LABEL: func.func @by_hand(
// CHECK: linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 2 along 1, tiles = [0 : 4], order = [0 : 4, 1 : 32], reductions = [2]>}
// OBEYED-LABEL: func.func @by_hand(
// OBEYED: scf.for {{.*}} step %c4
// OBEYED: scf.for {{.*}} step %c32
// OBEYED-COUNT-8: vector.fma {{.*}} : vector<16xf32>
// OBEYED-NOT: vector.fma
// OBEYED: return
func.func @by_hand(%a: memref<32x64xf32>, %b: memref<64x64xf32>, %c: memref<32x64xf32>) {
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 2 along 1, tiles = [0 : 4], order = [0 : 4, 1 : 32], reductions = [2]>}
      ins(%a, %b : memref<32x64xf32>, memref<64x64xf32>) outs(%c : memref<32x64xf32>)
  return
}

// The epilogue is part of the contraction's plan, so its operations have none.
// CHECK-LABEL: func.func @epilogue(
// CHECK: linalg.matmul {{.*}}epilogue = 1
// CHECK: linalg.generic
// CHECK-NOT: kernel.plan
// CHECK: return
func.func @epilogue(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>, %bias: memref<48xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<32x48xf32>, memref<48xf32>) outs(%c : memref<32x48xf32>) attrs = {kernel.epilogue} {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}
