// RUN: plumb-opt %s --plumb-convert-loops-to-llvm | FileCheck %s

// Buffers are bare pointers, views are addresses, no cast is left.
// CHECK-LABEL: llvm.func @vectors(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i64)
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.intr.masked.store
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.return
func.func @vectors(%x: memref<8x16xf32>, %i: index) {
  %row = memref.subview %x[4, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: 64>>
  %0 = vector.load %row[%i] : memref<16xf32, strided<[1], offset: 64>>, vector<16xf32>
  %1 = arith.addf %0, %0 : vector<16xf32>
  %mask = vector.constant_mask [10] : vector<16xi1>
  vector.maskedstore %row[%i], %mask, %1 : memref<16xf32, strided<[1], offset: 64>>, vector<16xi1>, vector<16xf32>
  return
}

// What vectors of indices count, and what LLVM has as an instruction.
// CHECK-LABEL: llvm.func @steps(
// CHECK: llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xindex>) : vector<4xi64>
// CHECK: llvm.intr.sqrt
// CHECK: llvm.br
func.func @steps(%x: f32, %n: index) -> (vector<4xindex>, f32) {
  %0 = vector.step : vector<4xindex>
  %1 = vector.broadcast %n : index to vector<4xindex>
  %2 = arith.addi %0, %1 : vector<4xindex>
  %3 = math.sqrt %x : f32
  cf.br ^end(%2 : vector<4xindex>)
^end(%result: vector<4xindex>):
  return %result, %3 : vector<4xindex>, f32
}

// A rebased view's address is that of its first element.
// CHECK-LABEL: llvm.func @caller(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr
// CHECK: %[[DISTANCE:.*]] = llvm.mlir.constant(64 : i64) : i64
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[DISTANCE]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.call @callee(
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.return
func.func private @callee(memref<4x8xf32, strided<[16, 1]>>)
func.func @caller(%x: memref<8x16xf32>) {
  %view = memref.subview %x[4, 0] [4, 8] [1, 1] : memref<8x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 64>>
  %address = kernel.rebase %view : memref<4x8xf32, strided<[16, 1], offset: 64>> to memref<4x8xf32, strided<[16, 1]>>
  func.call @callee(%address) : (memref<4x8xf32, strided<[16, 1]>>) -> ()
  return
}
