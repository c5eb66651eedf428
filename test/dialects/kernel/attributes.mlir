// RUN: plumb-opt %s | plumb-opt | FileCheck %s

// A plan with every entry; entries that have their default value are not printed.
// CHECK-LABEL: func.func @planned
// CHECK: linalg.fill {kernel.plan = #kernel.plan<lanes = 16 x 1 along 0>}
// CHECK: linalg.matmul {kernel.epilogue, kernel.plan = #kernel.plan<lanes = 16 x 3 along 1, tiles = [0 : 8], order = [2 : 32, 1 : 48, 0 : 8], reductions = [2], unroll = [2 : 4], partials = 2, panels = [1 : 0], prefetch = [0], blocks = [1 : 0, 0 : 2], writes = [2], transposed = [0], interleaved, skew = [0, 2, 1], epilogue = 1, cycles = 5120>, kernel.transient}
func.func @planned(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill {kernel.plan = #kernel.plan<lanes = 16 x 1 along 0, partials = 1, epilogue = 0>} ins(%zero : f32) outs(%c : memref<32x48xf32>)
  linalg.matmul {kernel.epilogue, kernel.transient, kernel.plan = #kernel.plan<
      lanes = 16 x 3 along 1, tiles = [0 : 8], order = [2 : 32, 1 : 48, 0 : 8], reductions = [2], unroll = [2 : 4], partials = 2,
      panels = [1 : 0], prefetch = [0], blocks = [1 : 0, 0 : 2], writes = [2], transposed = [0], interleaved, skew = [0, 2, 1],
      epilogue = 1, cycles = 5120>} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
  return
}

// CHECK-LABEL: func.func @calls
// CHECK: call @all(%{{.*}}, %{{.*}}) {kernel.fused}
func.func @calls(%x: memref<64xf32>, %y: memref<64xf32>) {
  func.call @all(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
  func.call @all(%x, %y) {kernel.fused} : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// CHECK: func.func private @all(memref<64xf32>, memref<64xf32>) attributes {kernel.partition = #kernel.partition<@one, chunks = 8, steps = [32, 0]>}
func.func private @all(memref<64xf32>, memref<64xf32>)
    attributes {kernel.partition = #kernel.partition<@one, chunks = 8, steps = [32, 0]>}

// CHECK: func.func private @one(%{{.*}}: memref<8xf32>, %{{.*}}: memref<64xf32>) attributes {kernel.info = #kernel.info<calls = {train = 1 : i64}, flops = 0, read = 32, written = 32, source = "net.py:7">}
func.func private @one(%x: memref<8xf32>, %y: memref<64xf32>) attributes {
    kernel.info = #kernel.info<calls = {train = 1 : i64}, flops = 0, read = 32, written = 32, source = "net.py:7">} {
  return
}
