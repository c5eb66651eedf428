// RUN: plumb-opt %s --plumb-expand-maxima=target-cpu=x86-64-v3 --canonicalize | FileCheck %s
// RUN: plumb-opt %s --plumb-expand-maxima=target-cpu=neoverse-n1 | FileCheck %s --check-prefix=STAYS

// A window of four: three maxima, two comparisons and one choice.
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[A:.*]]: vector<8xf32>, %[[B:.*]]: vector<8xf32>, %[[C:.*]]: vector<8xf32>, %[[D:.*]]: vector<8xf32>
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<-1> : vector<8xi32>
// CHECK: %[[G0:.*]] = arith.cmpf ogt, %[[D]], %[[C]]
// CHECK: %[[M0:.*]] = arith.select %[[G0]], %[[D]], %[[C]]
// CHECK: %[[G1:.*]] = arith.cmpf ogt, %[[M0]], %[[B]]
// CHECK: %[[M1:.*]] = arith.select %[[G1]], %[[M0]], %[[B]]
// CHECK: %[[G2:.*]] = arith.cmpf ogt, %[[M1]], %[[A]]
// CHECK: %[[M2:.*]] = arith.select %[[G2]], %[[M1]], %[[A]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[M2]]
// CHECK: %[[N0:.*]] = arith.cmpf uno, %[[D]], %[[C]]
// CHECK: %[[N1:.*]] = arith.cmpf uno, %[[B]], %[[A]]
// CHECK: %[[N:.*]] = arith.ori %[[N0]], %[[N1]]
// CHECK: arith.select %[[N]], %[[ONES]], %[[BITS]] : vector<8xi1>, vector<8xi32>
// CHECK-NOT: arith.maximumf
// STAYS-LABEL: func.func @window(
// STAYS-COUNT-4: arith.maximumf
func.func @window(%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>, %d: vector<8xf32>) -> vector<8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %start = vector.broadcast %low : f32 to vector<8xf32>
  %0 = arith.maximumf %a, %start fastmath<nsz> : vector<8xf32>
  %1 = arith.maximumf %b, %0 fastmath<nsz> : vector<8xf32>
  %2 = arith.maximumf %c, %1 fastmath<nsz> : vector<8xf32>
  %3 = arith.maximumf %d, %2 fastmath<nsz> : vector<8xf32>
  return %3 : vector<8xf32>
}

// Minima are the same; of three values the last one is asked by itself.
// CHECK-LABEL: func.func @minima(
// CHECK-SAME: %[[A:.*]]: vector<4xf64>, %[[B:.*]]: vector<4xf64>, %[[C:.*]]: vector<4xf64>
// CHECK: arith.cmpf olt, %[[C]], %[[A]]
// CHECK: arith.cmpf uno, %[[C]], %[[A]]
// CHECK: arith.cmpf uno, %[[B]], %[[B]]
// CHECK-NOT: arith.minimumf
func.func @minima(%a: vector<4xf64>, %b: vector<4xf64>, %c: vector<4xf64>) -> vector<4xf64> {
  %0 = arith.minimumf %a, %b fastmath<nsz> : vector<4xf64>
  %1 = arith.minimumf %c, %0 fastmath<nsz> : vector<4xf64>
  return %1 : vector<4xf64>
}

// A known number is one: it is met once, and asked nothing.
// CHECK-LABEL: func.func @relus(
// CHECK-SAME: %[[A:.*]]: vector<8xf32>, %[[B:.*]]: vector<8xf32>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
// CHECK: %[[G:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK: %[[M:.*]] = arith.select %[[G]], %[[A]], %[[B]]
// CHECK: arith.cmpf ogt, %[[M]], %[[ZERO]]
// CHECK: arith.cmpf uno, %[[A]], %[[B]]
// CHECK-NOT: arith.cmpf
func.func @relus(%a: vector<8xf32>, %b: vector<8xf32>) -> vector<8xf32> {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = arith.maximumf %a, %zero fastmath<nsz> : vector<8xf32>
  %1 = arith.maximumf %b, %zero fastmath<nsz> : vector<8xf32>
  %2 = arith.maximumf %0, %1 fastmath<nsz> : vector<8xf32>
  return %2 : vector<8xf32>
}

// One value and a number are one instruction; zeros of two signs, and numbers that are no vectors, are the target's.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: arith.maximumf
// CHECK-NOT: arith.cmpf
func.func @others(%a: vector<8xf32>, %b: vector<8xf32>, %c: f32, %d: f32) -> (vector<8xf32>, vector<8xf32>, f32) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = arith.maximumf %a, %zero fastmath<nsz> : vector<8xf32>
  %1 = arith.maximumf %a, %b : vector<8xf32>
  %2 = arith.maximumf %c, %d fastmath<nsz> : f32
  return %0, %1, %2 : vector<8xf32>, vector<8xf32>, f32
}
