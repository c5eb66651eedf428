// RUN: plumb-opt %s --plumb-split-columns=target-cpu=x86-64-v4 --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-split-columns=target-cpu=x86-64-v4 --plumb-pack-contractions=target-cpu=x86-64-v4 --split-input-file \
// RUN:   | FileCheck %s --check-prefix=PACKED

// Sixteen columns fill a vector; the last one is a product of its own, whose lanes run along the sum: its numbers are
// neighbours in a copy.
// CHECK-LABEL: func.func @seventeen(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<96x96xf32>
// CHECK: %[[B0:.*]] = memref.subview %{{.*}}[0, 0] [96, 16] [1, 1]
// CHECK: %[[C0:.*]] = memref.subview %{{.*}}[0, 0] [96, 16] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[C0]]
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B0]] : {{.*}}) outs(%[[C0]]
// CHECK: %[[B1:.*]] = memref.subview %{{.*}}[0, 16] [96, 1] [1, 1]
// CHECK: %[[C1:.*]] = memref.subview %{{.*}}[0, 16] [96, 1] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[C1]]
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B1]] : {{.*}}) outs(%[[C1]]
// CHECK-NOT: linalg.matmul
// PACKED-LABEL: func.func @seventeen(
// PACKED: linalg.transpose ins(%{{.*}} : memref<96x1xf32, {{.*}}>) outs(%{{.*}} : memref<1x96xf32>)
func.func @seventeen(%a: memref<96x96xf32>, %b: memref<96x17xf32>, %c: memref<96x17xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<96x17xf32>)
  linalg.matmul ins(%a, %b : memref<96x96xf32>, memref<96x17xf32>) outs(%c : memref<96x17xf32>)
  return
}

// -----

// Seven columns beyond a vector are worth one.
// CHECK-LABEL: func.func @twenty_three(
// CHECK-NOT: memref.subview
// CHECK: linalg.matmul
func.func @twenty_three(%a: memref<96x96xf32>, %b: memref<96x23xf32>, %c: memref<96x23xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<96x23xf32>)
  linalg.matmul ins(%a, %b : memref<96x96xf32>, memref<96x23xf32>) outs(%c : memref<96x23xf32>)
  return
}

// -----

// Rows that follow each other are one row of 272 columns: nothing is empty.
// CHECK-LABEL: func.func @fused_rows(
// CHECK-NOT: memref.subview
// CHECK: linalg.generic
func.func @fused_rows(%a: memref<64x32xf32>, %b: memref<32x16x17xf32>, %c: memref<64x16x17xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x16x17xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, r, n, k) -> (m, k)>, affine_map<(m, r, n, k) -> (k, r, n)>,
                                   affine_map<(m, r, n, k) -> (m, r, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x32xf32>, memref<32x16x17xf32>) outs(%c : memref<64x16x17xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A row of pixels: the window walks it together with another loop, and no piece of the image is a pixel's own.
// CHECK-LABEL: func.func @pixels(
// CHECK-NOT: memref.subview
// CHECK: linalg.generic
func.func @pixels(%x: memref<19xf32>, %w: memref<8x3xf32>, %y: memref<8x17xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8x17xf32>)
  linalg.generic {indexing_maps = [affine_map<(o, p, k) -> (p + k)>, affine_map<(o, p, k) -> (o, k)>, affine_map<(o, p, k) -> (o, p)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<19xf32>, memref<8x3xf32>) outs(%y : memref<8x17xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
