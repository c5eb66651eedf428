// RUN: plumb-opt %s --plumb-expand-roots=target-cpu=x86-64-v4 | FileCheck %s
// RUN: plumb-opt %s --plumb-expand-roots=target-cpu=x86-64-v3 | FileCheck %s --check-prefix=STAYS

// STAYS-LABEL: func.func @root(
// STAYS: math.sqrt {{.*}} : vector<16xf32>
// CHECK-LABEL: func.func @root(
// CHECK-SAME: %[[X:.*]]: vector<16xf32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.ps.512"(%[[X]], {{.*}}) : (vector<16xf32>, vector<16xf32>, i16)
// CHECK-NOT: math.sqrt
// CHECK: %[[K:.*]] = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"(%[[X]], {{.*}}) : (vector<16xf32>, i32) -> vector<16xi1>
// CHECK: arith.select %[[K]], %[[X]], {{.*}} : vector<16xi1>, vector<16xf32>
func.func @root(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.sqrt %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func.func @short(
// CHECK: "llvm.x86.avx512.rsqrt14.ps.128"{{.*}} : (vector<4xf32>, vector<4xf32>, i8)
func.func @short(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.sqrt %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// Numbers, and vectors of other types, keep the instruction.
// CHECK-LABEL: func.func @others(
// CHECK: math.sqrt {{.*}} : f32
// CHECK: math.sqrt {{.*}} : vector<8xf64>
func.func @others(%x: f32, %y: vector<8xf64>) -> (f32, vector<8xf64>) {
  %0 = math.sqrt %x : f32
  %1 = math.sqrt %y : vector<8xf64>
  return %0, %1 : f32, vector<8xf64>
}

// What waits for memory keeps it, too.
// CHECK-LABEL: func.func @far(
// CHECK: math.sqrt {{.*}} : vector<16xf32>
func.func @far(%buffer: memref<1024x1024xf32>, %x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.sqrt %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Functions of a device module, too.
// CHECK-LABEL: device.module @step
// CHECK-NOT: math.sqrt
device.module @step {
  func.func private @update(%x: vector<16xf32>) -> vector<16xf32> {
    %0 = math.sqrt %x : vector<16xf32>
    return %0 : vector<16xf32>
  }
}
