// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --split-input-file --verify-diagnostics

// Plans that are written by hand and do not fit, one for each rule.

func.func @loops(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{has a plan that does not fit: the nest has 3 loops}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 3>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @operands(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{does not fit: the operation has 2 inputs and 1 outputs}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, prefetch = [2]>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @lanes(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{does not fit: outputs are not contiguous along the lanes}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 0, order = [1 : 1, 0 : 16], reductions = [2]>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @tiles(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{does not fit: tiles are of different parallel loops beside the lanes}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, tiles = [2 : 4], order = [0 : 1, 1 : 16], reductions = [2]>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @order(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{does not fit: the last entry of loop 0 in order must step by its register tile, 8}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, tiles = [0 : 8], order = [0 : 4, 1 : 16], reductions = [2]>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @reductions(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{does not fit: reductions must hold each reduction loop beside the lanes once}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, order = [0 : 1, 1 : 16]>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @panels(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{does not fit: a panel needs an input whose elements the loop at its depth reads again}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, order = [0 : 1, 1 : 16], reductions = [2], panels = [0 : 0]>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @epilogue(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  // expected-error @+1 {{has a plan with an epilogue of 1, but only 0 operations after it fit}}
  linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 1 along 1, order = [0 : 1, 1 : 16], reductions = [2], epilogue = 1>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// -----

func.func @transposed(%x: memref<48x64xf32>, %y: memref<64x48xf32>) {
  // expected-error @+1 {{does not fit: only outputs of elementwise operations that do not read them can be transposed}}
  linalg.generic {kernel.plan = #kernel.plan<lanes = 16 x 1 along 0, tiles = [1 : 16], order = [0 : 16, 1 : 16], transposed = [1]>,
                  indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<48x64xf32>) outs(%y : memref<64x48xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}
