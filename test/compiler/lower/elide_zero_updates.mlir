// RUN: plumb-opt %s --plumb-elide-zero-updates --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#scalar = affine_map<(d0, d1) -> ()>

// Three passes over 16 of 1000 rows, if the rate is a finite number that is not negative.
// CHECK-LABEL: device.loop @rows
// CHECK: %[[W:.*]] = device.variable.view @w
// CHECK: %[[G:.*]] = memref.alloc() : memref<1000x8xf32>
// CHECK: %[[LOADED:.*]] = memref.load %[[RATE:.*]][] : memref<f32>
// CHECK-DAG: %[[NOT_NEGATIVE:.*]] = arith.cmpf oge, %[[LOADED]], %{{.*}} : f32
// CHECK-DAG: %[[FINITE:.*]] = arith.cmpf olt, %[[LOADED]], %{{.*}} : f32
// CHECK: %[[GUARD:.*]] = arith.andi %[[NOT_NEGATIVE]], %[[FINITE]]
// CHECK: scf.if %[[GUARD]] {
// CHECK-NEXT: scf.for %[[I:.*]] =
// CHECK-NEXT: scf.for %[[J:.*]] =
// CHECK-NEXT: %[[N:.*]] = memref.load %[[INDICES:.*]][%[[I]]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[N]]
// CHECK-NEXT: memref.store %[[ZERO:.*]], %[[G]][%[[ROW]], %[[J]]]
// CHECK: } else {
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[G]]
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: scf.if %[[GUARD]] {
// CHECK-NEXT: scf.for %[[I:.*]] =
// CHECK-NEXT: scf.for %[[J:.*]] =
// CHECK-NEXT: memref.load %[[INDICES]][%[[I]]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast
// CHECK-DAG: %[[OLD:.*]] = memref.load %[[W]][%[[ROW]], %[[J]]]
// CHECK-DAG: %[[SUM:.*]] = memref.load %[[G]][%[[ROW]], %[[J]]]
// CHECK-DAG: %[[R:.*]] = memref.load %[[RATE]][]
// CHECK: %[[STEP:.*]] = arith.mulf %[[SUM]], %[[R]]
// CHECK-NEXT: %[[NEW:.*]] = arith.subf %[[OLD]], %[[STEP]]
// CHECK-NEXT: memref.store %[[NEW]], %[[W]][%[[ROW]], %[[J]]]
// CHECK-NEXT: memref.store %[[ZERO]], %[[G]][%[[ROW]], %[[J]]]
// CHECK: } else {
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[W]], %[[G]], %[[RATE]]
device.module @m {
  device.variable @w : tensor<1000x8xf32> = dense<0.0> : tensor<1000x8xf32>
  device.variable @rate : tensor<f32> = dense<0.1> : tensor<f32>
  device.queue @q columns ["i", "g"] (tensor<16xi32>, tensor<16x8xf32>) depth(4)
  device.loop @rows {mode = "train"} {
    %w = device.variable.view @w : memref<1000x8xf32>
    %rate = device.variable.view @rate : memref<f32>
    %g = memref.alloc() : memref<1000x8xf32>
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %i, %rows = device.get_next @q : memref<16xi32>, memref<16x8xf32>
    linalg.fill ins(%zero : f32) outs(%g : memref<1000x8xf32>)
    scf.for %m = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %n = memref.load %i[%m] : memref<16xi32>
        %row = arith.index_cast %n : i32 to index
        %a = memref.load %g[%row, %j] : memref<1000x8xf32>
        %b = memref.load %rows[%m, %j] : memref<16x8xf32>
        %sum = arith.addf %a, %b : f32
        memref.store %sum, %g[%row, %j] : memref<1000x8xf32>
      }
    }
    linalg.generic {indexing_maps = [#id, #id, #scalar, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w, %g, %rate : memref<1000x8xf32>, memref<1000x8xf32>, memref<f32>) outs(%w : memref<1000x8xf32>) {
    ^bb0(%old: f32, %sum: f32, %r: f32, %out: f32):
      %0 = arith.mulf %sum, %r : f32
      %1 = arith.subf %old, %0 : f32
      linalg.yield %1 : f32
    }
    device.yield
  }
}

// -----

#id = affine_map<(d0) -> (d0)>

// A rate that is known needs no branch.
// CHECK-LABEL: device.loop @constant
// CHECK-NOT: scf.if
// CHECK-NOT: linalg
// CHECK-COUNT-3: scf.for
// CHECK-NOT: linalg
device.module @m {
  device.variable @w : tensor<1000xf32> = dense<0.0> : tensor<1000xf32>
  device.queue @q columns ["i", "g"] (tensor<16xi32>, tensor<16xf32>) depth(4)
  device.loop @constant {mode = "train"} {
    %w = device.variable.view @w : memref<1000xf32>
    %g = memref.alloc() : memref<1000xf32>
    %zero = arith.constant 0.0 : f32
    %rate = arith.constant 0.5 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %i, %rows = device.get_next @q : memref<16xi32>, memref<16xf32>
    linalg.fill ins(%zero : f32) outs(%g : memref<1000xf32>)
    scf.for %m = %c0 to %c16 step %c1 {
      %n = memref.load %i[%m] : memref<16xi32>
      %row = arith.index_cast %n : i32 to index
      %a = memref.load %g[%row] : memref<1000xf32>
      %b = memref.load %rows[%m] : memref<16xf32>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %g[%row] : memref<1000xf32>
    }
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%w, %g : memref<1000xf32>, memref<1000xf32>) outs(%w : memref<1000xf32>) {
    ^bb0(%old: f32, %sum: f32, %out: f32):
      %0 = arith.mulf %rate, %sum : f32
      %1 = arith.subf %old, %0 : f32
      linalg.yield %1 : f32
    }
    device.yield
  }
}

// -----

#id = affine_map<(d0) -> (d0)>

// Three updates that change: of a table with few elements for each one that is added to; by a decay, which changes the
// other elements, too; by a sum, which makes +0 of an element that is -0.
// CHECK-LABEL: device.loop @complete
// CHECK-NOT: scf.if
// CHECK-COUNT-3: linalg.fill
// CHECK-NOT: linalg.fill
device.module @m {
  device.variable @small : tensor<100xf32> = dense<0.0> : tensor<100xf32>
  device.variable @decayed : tensor<1000xf32> = dense<0.0> : tensor<1000xf32>
  device.variable @added : tensor<1000xf32> = dense<0.0> : tensor<1000xf32>
  device.queue @q columns ["i", "g"] (tensor<16xi32>, tensor<16xf32>) depth(4)
  device.loop @complete {mode = "train"} {
    %small = device.variable.view @small : memref<100xf32>
    %decayed = device.variable.view @decayed : memref<1000xf32>
    %added = device.variable.view @added : memref<1000xf32>
    %g0 = memref.alloc() : memref<100xf32>
    %g1 = memref.alloc() : memref<1000xf32>
    %g2 = memref.alloc() : memref<1000xf32>
    %zero = arith.constant 0.0 : f32
    %rate = arith.constant 0.5 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %i, %rows = device.get_next @q : memref<16xi32>, memref<16xf32>
    linalg.fill ins(%zero : f32) outs(%g0 : memref<100xf32>)
    scf.for %m = %c0 to %c16 step %c1 {
      %n = memref.load %i[%m] : memref<16xi32>
      %row = arith.index_cast %n : i32 to index
      %b = memref.load %rows[%m] : memref<16xf32>
      memref.store %b, %g0[%row] : memref<100xf32>
    }
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%small, %g0 : memref<100xf32>, memref<100xf32>) outs(%small : memref<100xf32>) {
    ^bb0(%old: f32, %sum: f32, %out: f32):
      %0 = arith.mulf %sum, %rate : f32
      %1 = arith.subf %old, %0 : f32
      linalg.yield %1 : f32
    }
    linalg.fill ins(%zero : f32) outs(%g1 : memref<1000xf32>)
    scf.for %m = %c0 to %c16 step %c1 {
      %n = memref.load %i[%m] : memref<16xi32>
      %row = arith.index_cast %n : i32 to index
      %b = memref.load %rows[%m] : memref<16xf32>
      memref.store %b, %g1[%row] : memref<1000xf32>
    }
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%decayed, %g1 : memref<1000xf32>, memref<1000xf32>) outs(%decayed : memref<1000xf32>) {
    ^bb0(%old: f32, %sum: f32, %out: f32):
      %0 = arith.mulf %old, %rate : f32
      %1 = arith.addf %sum, %0 : f32
      %2 = arith.mulf %1, %rate : f32
      %3 = arith.subf %old, %2 : f32
      linalg.yield %3 : f32
    }
    linalg.fill ins(%zero : f32) outs(%g2 : memref<1000xf32>)
    scf.for %m = %c0 to %c16 step %c1 {
      %n = memref.load %i[%m] : memref<16xi32>
      %row = arith.index_cast %n : i32 to index
      %b = memref.load %rows[%m] : memref<16xf32>
      memref.store %b, %g2[%row] : memref<1000xf32>
    }
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%added, %g2 : memref<1000xf32>, memref<1000xf32>) outs(%added : memref<1000xf32>) {
    ^bb0(%old: f32, %sum: f32, %out: f32):
      %0 = arith.mulf %sum, %rate : f32
      %1 = arith.addf %old, %0 : f32
      linalg.yield %1 : f32
    }
    device.yield
  }
}
