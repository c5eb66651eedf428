// RUN: plumb-opt %s --plumb-expand-math | FileCheck %s

// CHECK-LABEL: func.func @exp(
// CHECK-NOT: math.exp
// CHECK: math.fma {{.*}} : vector<16xf32>
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func.func @others(
// CHECK-NOT: math.{{tanh|log|erf|powf|rsqrt}}
// CHECK: return
func.func @others(%x: f32) -> (f32, f32, f32, f32) {
  %two = arith.constant 2.0 : f32
  %0 = math.tanh %x : f32
  %1 = math.log %x : f32
  %2 = math.erf %x : f32
  %3 = math.powf %x, %two : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// Large arguments are reduced by integers, behind a branch.
// CHECK-LABEL: func.func @sine(
// CHECK-NOT: math.sin
// CHECK: math.roundeven {{.*}} : vector<8xf64>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, {{.*}} : vector<8xi1> into i1
// CHECK: scf.if %[[ANY]]
// CHECK: arith.muli {{.*}} : vector<8xi64>
func.func @sine(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sin %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// What is one instruction stays.
// CHECK-LABEL: func.func @instruction(
// CHECK: math.sqrt
func.func @instruction(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  return %0 : f32
}
