// RUN: plumb-opt %s --plumb-expand-small-floats=target-cpu=x86-64-v3 | FileCheck %s
// RUN: plumb-opt %s --plumb-expand-small-floats=target-cpu=x86-64-v2 | FileCheck %s --check-prefix=INTEGERS

// INTEGERS-LABEL: func.func @sum(
// INTEGERS-NOT: arith.extf
// INTEGERS: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// INTEGERS-NOT: arith.truncf
// INTEGERS: arith.bitcast %{{.*}} : vector<16xi16> to vector<16xf16>
// CHECK-LABEL: func.func @sum(
// CHECK-COUNT-2: arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: arith.truncf %[[S]] {{.*}}: vector<16xf32> to vector<16xf16>
func.func @sum(%a: vector<16xf16>, %b: vector<16xf16>) -> vector<16xf16> {
  %0 = arith.addf %a, %b : vector<16xf16>
  return %0 : vector<16xf16>
}

// A bf16 is the upper half of an f32.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: arith.{{extf|truncf}}
// CHECK: arith.shli {{.*}} : vector<16xi32>
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: arith.shrui {{.*}} : vector<16xi32>
// CHECK-NOT: arith.{{extf|truncf}}
func.func @halves(%a: vector<16xbf16>) -> vector<16xbf16> {
  %0 = math.exp %a : vector<16xbf16>
  return %0 : vector<16xbf16>
}

// CHECK-LABEL: func.func @single(
// CHECK-NEXT: arith.addf %{{.*}} : f32
func.func @single(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}

// One rounding: the first is to the odd number.
// CHECK-LABEL: func.func @double(
// CHECK: %[[NEAREST:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.ori
// CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.truncf %[[ODD]] : f32 to f16
func.func @double(%a: f64) -> f16 {
  %0 = arith.truncf %a : f64 to f16
  return %0 : f16
}
