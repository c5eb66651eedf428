// RUN: plumb-opt %s --plumb-convert-rest-to-loops | FileCheck %s

// CHECK-LABEL: func.func @copy(
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: %[[X:.*]] = memref.load
// CHECK: memref.store %[[X]]
func.func @copy(%x: memref<2xf16>, %y: memref<2xf16>) {
  linalg.copy ins(%x : memref<2xf16>) outs(%y : memref<2xf16>)
  return
}
