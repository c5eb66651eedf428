// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-vectorize-reductions=target-cpu=x86-64-v4 --split-input-file | FileCheck %s

// Lanes along the reduction; the lanes that are left over keep their sums.
// CHECK-LABEL: func.func @row_sums(
// CHECK: scf.for {{.*}} iter_args({{.*}}vector<16xf32>
// CHECK: vector.maskedload
// CHECK: arith.select {{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: vector.shuffle
// CHECK: vector.maskedstore
func.func @row_sums(%x: memref<8x100xf32>, %sum: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x100xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %acc, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The index of the reduction is a number for each lane.
// CHECK-LABEL: func.func @picked(
// CHECK: %[[STEP:.*]] = vector.step : vector<16xindex>
// CHECK: arith.addi %{{.*}}, %[[STEP]] : vector<16xindex>
// CHECK: arith.select {{.*}} : vector<16xi1>, vector<16xf32>
func.func @picked(%x: memref<8x4096xf32>, %class: memref<8xi32>, %sum: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x, %class : memref<8x4096xf32>, memref<8xi32>) outs(%sum : memref<8xf32>) {
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

// -----

// Lanes along the columns: no sum over lanes.
// CHECK-LABEL: func.func @column_maxima(
// CHECK-NOT: vector.reduction
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
// CHECK: return
func.func @column_maxima(%x: memref<100x32xf32>, %max: memref<32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<100x32xf32>) outs(%max : memref<32xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.maximumf %acc, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Pooling two apart: two loads and a shuffle make one vector.
// CHECK-LABEL: func.func @pool(
// CHECK: vector.shuffle
// CHECK: arith.maximumf
func.func @pool(%x: memref<2x6x28x64xf32>, %window: memref<2x2xf32>, %y: memref<2x6x14x32xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  linalg.fill ins(%lowest : f32) outs(%y : memref<2x6x14x32xf32>)
  linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %window : memref<2x6x28x64xf32>, memref<2x2xf32>)
      outs(%y : memref<2x6x14x32xf32>)
  return
}

// -----

// Windows that do not overlap read each element once: rows are walked from end to end.
// CHECK-LABEL: func.func @walk(
// CHECK: arith.addi %{{[0-9]+}}, %[[LANES:arg[0-9]+]] : index
// CHECK-NEXT: arith.addi %{{[0-9]+}}, %[[LANES]] : index
// CHECK-NEXT: vector.broadcast
func.func @walk(%x: memref<4x8x8x256xf32>, %w: memref<2x2xf32>, %y: memref<4x4x4x256xf32>) {
  %low = arith.constant 0xFF800000 : f32
  linalg.fill ins(%low : f32) outs(%y : memref<4x4x4x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(c, i, j, p, q, n) -> (c, i * 2 + p, j * 2 + q, n)>, affine_map<(c, i, j, p, q, n) -> (p, q)>, affine_map<(c, i, j, p, q, n) -> (c, i, j, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel"]}
      ins(%x, %w : memref<4x8x8x256xf32>, memref<2x2xf32>) outs(%y : memref<4x4x4x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// Short vectors of a window that is read once: memory in order, columns inside of rows, eight rows at once and all
// four places of the window in line.
// CHECK-LABEL: func.func @pool_in_order(
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c128{{.*}} step %c8
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c16{{.*}} step %c1
// CHECK-NOT: scf.for
// CHECK-COUNT-32: arith.maximumf {{.*}} : vector<4xf32>
// CHECK-NOT: arith.maximumf
// CHECK: return
func.func @pool_in_order(%x: memref<8x32x32x4xf32>, %window: memref<2x2xf32>, %y: memref<8x16x16x4xf32>) {
  %low = arith.constant 0xFF800000 : f32
  linalg.fill ins(%low : f32) outs(%y : memref<8x16x16x4xf32>)
  linalg.generic {indexing_maps = [affine_map<(c, i, j, p, q, n) -> (c, i * 2 + p, j * 2 + q, n)>,
                                   affine_map<(c, i, j, p, q, n) -> (p, q)>,
                                   affine_map<(c, i, j, p, q, n) -> (c, i, j, n)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel"]}
      ins(%x, %window : memref<8x32x32x4xf32>, memref<2x2xf32>) outs(%y : memref<8x16x16x4xf32>) {
  ^bb0(%in: f32, %place: f32, %best: f32):
    %0 = arith.maximumf %in, %best : f32
    linalg.yield %0 : f32
  }
  return
}
