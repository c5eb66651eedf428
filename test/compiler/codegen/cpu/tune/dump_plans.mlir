// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-dump-plans="target-cpu=x86-64-v4 output=-" -o %t | FileCheck %s

// The first plan is the operation's own. For a sum over one loop all orders of loops and all tiles with lanes along the
// columns add alike.
// CHECK: "name": "product",
// CHECK-NEXT: "source": "",
// CHECK-NEXT: "target": "x86-64-v4",
// CHECK-NEXT: "kernel": "[[PRODUCT:[0-9a-f]+]]",
// CHECK-NEXT: "operation": 1,
// CHECK-NEXT: "runs": 8,
// CHECK-NEXT: "plans": [
// CHECK-NEXT: {
// CHECK-NEXT: "plan": "#kernel.plan<lanes = 16 x 3 along 1, tiles = [0 : 8]
// CHECK-NEXT: "cycles": {{[0-9]+}},
// CHECK-NEXT: "same_sums": true
// CHECK: "plan": "#kernel.plan<lanes = 16 x
// CHECK: "same_sums": true
func.func @product(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x48xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// Lanes along the reduction are sums of their own: other lanes add in another order.
// CHECK: "name": "sums",
// CHECK: "kernel": "{{[0-9a-f]+}}",
// CHECK: "runs": 2,
// CHECK: "same_sums": true
// CHECK: "same_sums": false
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

// Neither the name nor a plan is part of the hash.
// CHECK: "name": "the_same_product",
// CHECK: "kernel": "[[PRODUCT]]",
// CHECK: "runs": 1,
func.func @the_same_product(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x48xf32>)
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, order = [0 : 1, 1 : 16], reductions = [2]>}
      ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// Runs in a step: calls, and chunks.
func.func private @product_in_chunks(memref<256x64xf32>, memref<64x48xf32>, memref<256x48xf32>)
    attributes {kernel.partition = #kernel.partition<@product, chunks = 8, steps = [8192, 0, 6144]>}
func.func @step(%a: memref<256x64xf32>, %b: memref<64x48xf32>, %c: memref<256x48xf32>, %x: memref<8x1000xf32>, %y: memref<8xf32>) {
  call @product_in_chunks(%a, %b, %c) : (memref<256x64xf32>, memref<64x48xf32>, memref<256x48xf32>) -> ()
  call @sums(%x, %y) : (memref<8x1000xf32>, memref<8xf32>) -> ()
  call @sums(%x, %y) : (memref<8x1000xf32>, memref<8xf32>) -> ()
  return
}
