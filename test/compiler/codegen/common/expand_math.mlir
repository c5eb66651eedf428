// RUN: plumb-opt %s --plumb-expand-math | FileCheck %s

// Two comparisons for the ends, a sum that rounds, eight products with sums, and a power of two of the rounding's last bits.
// CHECK-LABEL: func.func @exp(
// CHECK-COUNT-2: arith.select
// CHECK: %[[PRODUCT:.*]] = arith.mulf %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK: %[[ROUNDED:.*]] = arith.addf %[[PRODUCT]], %[[LARGE:.*]] fastmath<contract>
// CHECK: arith.subf %[[ROUNDED]], %[[LARGE]] : vector<16xf32>
// CHECK-COUNT-8: arith.addf %{{.*}} fastmath<contract>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[ROUNDED]]
// CHECK: arith.shli %[[BITS]]
// CHECK-NOT: math.exp
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Far from zero, the polynomial is beyond one.
// CHECK-LABEL: func.func @error_function(
// CHECK-COUNT-15: arith.addf
// CHECK: arith.mulf
// CHECK: arith.cmpf ult
// CHECK: arith.cmpf ugt
// CHECK-NEXT: arith.select
// CHECK-NEXT: return
func.func @error_function(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.erf %x : vector<8xf32>
  return %0 : vector<8xf32>
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

// The tangent is one quotient behind the same reduction.
// CHECK-LABEL: func.func @tangent(
// CHECK-NOT: math.tan
// CHECK: scf.if
// CHECK: arith.divf {{.*}} : vector<8xf64>
// CHECK: arith.truncf {{.*}} : vector<8xf64> to vector<8xf32>
func.func @tangent(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.tan %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// Functions that cancel go by way of f64.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: math.{{asin|acos|atan|sinh|cosh|asinh|acosh|atanh|log1p|expm1|erfc|atan2}}
// CHECK: return
func.func @wide(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = math.asin %x : vector<8xf32>
  %1 = math.acos %0 : vector<8xf32>
  %2 = math.atan %1 : vector<8xf32>
  %3 = math.sinh %2 : vector<8xf32>
  %4 = math.cosh %3 : vector<8xf32>
  %5 = math.asinh %4 : vector<8xf32>
  %6 = math.acosh %5 : vector<8xf32>
  %7 = math.atanh %6 : vector<8xf32>
  %8 = math.log1p %7 : vector<8xf32>
  %9 = math.expm1 %8 : vector<8xf32>
  %10 = math.erfc %9 : vector<8xf32>
  %11 = math.atan2 %10, %y : vector<8xf32>
  return %11 : vector<8xf32>
}

// Of f64 they are libm's.
// CHECK-LABEL: func.func @of_doubles(
// CHECK: math.tan
// CHECK: math.expm1
func.func @of_doubles(%x: f64) -> (f64, f64) {
  %0 = math.tan %x : f64
  %1 = math.expm1 %x : f64
  return %0, %1 : f64, f64
}

// What is one instruction stays.
// CHECK-LABEL: func.func @instruction(
// CHECK: math.sqrt
func.func @instruction(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  return %0 : f32
}
