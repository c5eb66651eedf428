// RUN: plumb-opt %s | plumb-opt | FileCheck %s

// Strided views lose their offset only; contiguous ones their layout, too.
// CHECK-LABEL: func.func @views
func.func @views(%rows: memref<8x16xf32, strided<[1024, 1], offset: 32>>, %row: memref<2x4xi1, strided<[4, 1], offset: 8>>,
                 %scalar: memref<f64, strided<[], offset: 3>>) {
  // CHECK: kernel.rebase %{{.*}} : memref<8x16xf32, strided<[1024, 1], offset: 32>> to memref<8x16xf32, strided<[1024, 1]>>
  %0 = kernel.rebase %rows : memref<8x16xf32, strided<[1024, 1], offset: 32>> to memref<8x16xf32, strided<[1024, 1]>>
  // CHECK: kernel.rebase %{{.*}} : memref<2x4xi1, strided<[4, 1], offset: 8>> to memref<2x4xi1>
  %1 = kernel.rebase %row : memref<2x4xi1, strided<[4, 1], offset: 8>> to memref<2x4xi1>
  // CHECK: kernel.rebase %{{.*}} : memref<f64, strided<[], offset: 3>> to memref<f64>
  %2 = kernel.rebase %scalar : memref<f64, strided<[], offset: 3>> to memref<f64>
  return
}
