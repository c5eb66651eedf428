// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --remarks-filter="plan" 2>&1 | FileCheck %s

// Half of the accumulators: the loads of four rows serve one vector less.
// CHECK: remark: {{.*}}linalg.matmul: {{[0-9]+}} cycles by #kernel.plan<lanes = 16 x 3 along 1, tiles = [0 : 8]{{.*}}>; second: lanes = 16 x {{[0-9]}} along 1, tiles = [0 : {{[0-9]+}}] with {{[0-9]+}} cycles, for more {{loads|instructions, remainders included|waits for .*}}
func.func @product(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// One loop has one plan.
// CHECK: remark: {{.*}}linalg.copy: {{[0-9]+}} cycles by {{.*}}; second: no other register tile
func.func @copy(%a: memref<512xf32>, %b: memref<512xf32>) {
  linalg.copy ins(%a : memref<512xf32>) outs(%b : memref<512xf32>)
  return
}
