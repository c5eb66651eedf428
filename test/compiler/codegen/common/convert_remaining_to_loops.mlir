// RUN: plumb-opt %s --plumb-convert-remaining-to-loops | FileCheck %s

// CHECK-LABEL: func.func @copy(
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: %[[X:.*]] = memref.load
// CHECK: memref.store %[[X]]
func.func @copy(%x: memref<2xf16>, %y: memref<2xf16>) {
  linalg.copy ins(%x : memref<2xf16>) outs(%y : memref<2xf16>)
  return
}

// What lies around a halo is zero and is not read.
// CHECK-LABEL: func.func @halo(
// CHECK-NOT: device.halo
// CHECK: arith.cmpi ult
// CHECK: scf.if %{{.*}} -> (f16)
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<4xf16>
// CHECK: scf.yield %cst
func.func @halo(%x: memref<4xf16>, %k: memref<3xf16>, %y: memref<4xf16>) {
  %p = device.halo %x low [1] high [1] : memref<4xf16> to memref<6xf16, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(h, i) -> (h + i)>, affine_map<(h, i) -> (i)>, affine_map<(h, i) -> (h)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%p, %k : memref<6xf16, strided<[1]>>, memref<3xf16>) outs(%y : memref<4xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16):
    %0 = arith.mulf %a, %b : f16
    %1 = arith.addf %c, %0 : f16
    linalg.yield %1 : f16
  }
  return
}
