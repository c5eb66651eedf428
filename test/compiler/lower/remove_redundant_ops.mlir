// RUN: plumb-opt %s --plumb-remove-redundant-ops | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Bodies decide: what adds one is computed once, what adds two stays. What nothing uses goes.
// CHECK-LABEL: func.func @bodies
// CHECK: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: %[[B:.*]] = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return %[[A]], %[[B]], %[[A]]
func.func @bodies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %d = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%d : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %one : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %two : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %one : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %unused = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.mulf %i, %one : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Bodies that use their arguments in different order differ; sums do not.
// CHECK-LABEL: func.func @arguments
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
func.func @arguments(%x: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.subf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.subf %j, %i : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Reads are merged up to the next write, in one block. A branch uses what was computed before it, never the reverse.
// CHECK-LABEL: func.func @reads
// CHECK: %[[A:.*]] = memref.load
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: memref.store
// CHECK-NEXT: %[[B:.*]] = memref.load
// CHECK-NEXT: %[[R:.*]]:2 = scf.if
// CHECK-NEXT: %[[P:.*]] = arith.mulf
// CHECK-NEXT: yield %[[S]], %[[P]]
// CHECK-NEXT: else
// CHECK-NEXT: %[[Q:.*]] = arith.mulf
// CHECK-NEXT: yield %[[Q]], %[[Q]]
// CHECK: return %[[B]], %[[R]]#0, %[[R]]#1
func.func @reads(%m: memref<4xf32>, %i: index, %c: i1) -> (f32, f32, f32) {
  %a = memref.load %m[%i] : memref<4xf32>
  %again = memref.load %m[%i] : memref<4xf32>
  %s = arith.addf %a, %again : f32
  memref.store %s, %m[%i] : memref<4xf32>
  %b = memref.load %m[%i] : memref<4xf32>
  %r:2 = scf.if %c -> (f32, f32) {
    %t = arith.addf %a, %a : f32
    %p = arith.mulf %a, %b : f32
    scf.yield %t, %p : f32, f32
  } else {
    %p = arith.mulf %a, %b : f32
    %q = arith.mulf %a, %b : f32
    scf.yield %p, %q : f32, f32
  }
  return %b, %r#0, %r#1 : f32, f32, f32
}
