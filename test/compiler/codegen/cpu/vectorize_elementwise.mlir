// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-vectorize-elementwise=target-cpu=x86-64-v4 --split-input-file | FileCheck %s

// Both loops become one of 800 iterations.
// CHECK-LABEL: func.func @relu(
// CHECK-NOT: linalg
// CHECK: vector.load {{.*}} memref<800xf32>{{.*}}, vector<16xf32>
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
// CHECK: vector.store
func.func @relu(%x: memref<8x100xf32>, %y: memref<8x100xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x100xf32>) outs(%y : memref<8x100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What the nearest cache does not hold is asked for before it is written: a line for each vector.
// CHECK-LABEL: func.func @large(
// CHECK-COUNT-4: memref.prefetch %{{.*}}, write, locality<3>, data : memref<32768xf32>
// CHECK-NOT: memref.prefetch
// CHECK: vector.store
func.func @large(%x: memref<128x256xf32>, %y: memref<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<128x256xf32>) outs(%y : memref<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Columns of a larger buffer are not: what comes next in memory is another's.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @columns(%x: memref<256x256xf32>, %y: memref<256x256xf32, strided<[512, 1]>>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<256x256xf32>) outs(%y : memref<256x256xf32, strided<[512, 1]>>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A bias is one scalar per row, broadcast.
// CHECK-LABEL: func.func @bias(
// CHECK: memref.load {{.*}} : memref<6xf32>
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<16xf32>
func.func @bias(%x: memref<2x6x10x10xf32>, %b: memref<6xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b : memref<6xf32>) outs(%x : memref<2x6x10x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A transpose is squares turned in registers: no single elements.
// CHECK-LABEL: func.func @transpose(
// CHECK: vector.shuffle
// CHECK-NOT: memref.load
// CHECK: return
func.func @transpose(%x: memref<32x48xf32>, %y: memref<48x32xf32>) {
  linalg.transpose ins(%x : memref<32x48xf32>) outs(%y : memref<48x32xf32>) permutation = [1, 0]
  return
}

// -----

// Indices are a vector of steps.
// CHECK-LABEL: func.func @one_hot(
// CHECK: vector.step : vector<{{[0-9]+}}xindex>
// CHECK: arith.cmpi eq, {{.*}} : vector<
func.func @one_hot(%labels: memref<32xi32>, %y: memref<32x10xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%labels : memref<32xi32>) outs(%y : memref<32x10xf32>) {
  ^bb0(%label: i32, %out: f32):
    %class = linalg.index 1 : index
    %number = arith.index_cast %class : index to i32
    %is = arith.cmpi eq, %label, %number : i32
    %0 = arith.select %is, %one, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What has no vector form is left for the scalar path.
// CHECK-LABEL: func.func @gather(
// CHECK: linalg.generic
func.func @gather(%table: memref<7xf32>, %at: memref<32xindex>, %y: memref<32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : memref<32xindex>) outs(%y : memref<32xf32>) {
  ^bb0(%i: index, %out: f32):
    %0 = memref.load %table[%i] : memref<7xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

// Both halves of each pair are computed and zipped: the store is contiguous.
// CHECK-LABEL: func.func @spread(
// CHECK: vector.shuffle {{.*}} [0, 16, 1, 17,
// CHECK-NOT: memref.store
// CHECK: vector.maskedstore
func.func @spread(%x: memref<4x14xf32>, %y: memref<4x14x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<4x14xf32>) outs(%y : memref<4x14x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %k = linalg.index 2 : index
    %is = arith.cmpi eq, %k, %one : index
    %0 = arith.select %is, %in, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Of two results in two orders, one is transposed in registers: both are stored as vectors.
// CHECK-LABEL: func.func @two_orders(
// CHECK-COUNT-16: vector.store {{.*}} memref<3072xf32>
// CHECK: vector.shuffle
// CHECK-NOT: memref.store
// CHECK: vector.store
// CHECK-NOT: memref.store
// CHECK: return
func.func @two_orders(%x: memref<48x64xf32>, %r: memref<48x64xf32>, %t: memref<64x48xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<48x64xf32>) outs(%r, %t : memref<48x64xf32>, memref<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// A result that the body reads, too, is not: the operation stays for the scalar path.
// CHECK-LABEL: func.func @added_in_two_orders(
// CHECK: linalg.generic
func.func @added_in_two_orders(%x: memref<48x64xf32>, %r: memref<48x64xf32>, %t: memref<64x48xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<48x64xf32>) outs(%r, %t : memref<48x64xf32>, memref<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %a, %c : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}
