// RUN: plumb-opt %s --plumb-expand-small-floats | FileCheck %s

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
