// RUN: plumb-opt %s --plumb-partition-kernels=target-cpu=x86-64-v4 | FileCheck %s
// RUN: plumb-opt %s --plumb-partition-kernels=target-cpu=x86-64-v4 --remarks-filter="plan" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A plan that was written by hand is one for all iterations of its operation, which therefore is not partitioned; what
// stands in the same kernel on the other side of a copy is.
// CHECK-LABEL: device.loop @train
// CHECK: call @planned(
// CHECK: call @[[FIRST:.*]]_in_chunks(
// CHECK-NOT: in_chunks
// CHECK: device.yield
// REMARK-COUNT-2: remark: {{.*}}linalg.generic: not partitioned, as its plan is written for all iterations
// REMARK-NOT: remark:
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
device.module @net attributes {arena_bytes = 4194304 : i64} {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<256x512xf32>
    %t = device.arena.view offset 524288 : memref<512x256xf32>
    %y = device.arena.view offset 1048576 : memref<256x256xf32>
    %z = device.arena.view offset 2097152 : memref<256x256xf32>
    func.call @planned(%y, %x, %t) : (memref<256x256xf32>, memref<256x512xf32>, memref<512x256xf32>) -> ()
    func.call @several(%z, %x, %t, %y) : (memref<256x256xf32>, memref<256x512xf32>, memref<512x256xf32>, memref<256x256xf32>) -> ()
    device.yield
  }
  // CHECK-LABEL: func.func private @planned(
  // CHECK: linalg.generic {{.*}}kernel.plan = #kernel.plan<lanes = 16 x 4 along 1, tiles = [0 : 4], order = [0 : 4, 1 : 64], reductions = [2]>
  func.func private @planned(%y: memref<256x256xf32> {llvm.noalias}, %x: memref<256x512xf32>, %w: memref<512x256xf32>) {
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : memref<256x512xf32>, memref<512x256xf32>) outs(%y : memref<256x256xf32>)
        attrs = {kernel.plan = #kernel.plan<lanes = 16 x 4 along 1, tiles = [0 : 4], order = [0 : 4, 1 : 64], reductions = [2]>} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
  // CHECK: kernel.plan = #kernel.plan<lanes = 16 x 2 along 1, tiles = [0 : 4], order = [0 : 4, 1 : 32], reductions = [2]>
  // CHECK-NOT: kernel.plan
  func.func private @several(%z: memref<256x256xf32> {llvm.noalias}, %x: memref<256x512xf32>, %t: memref<512x256xf32>,
                             %y: memref<256x256xf32> {llvm.noalias}) {
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %t : memref<256x512xf32>, memref<512x256xf32>) outs(%y : memref<256x256xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    linalg.copy ins(%y : memref<256x256xf32>) outs(%z : memref<256x256xf32>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %t : memref<256x512xf32>, memref<512x256xf32>) outs(%z : memref<256x256xf32>)
        attrs = {kernel.plan = #kernel.plan<lanes = 16 x 2 along 1, tiles = [0 : 4], order = [0 : 4, 1 : 32], reductions = [2]>} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
}
