// RUN: plumb-opt %s --plumb-select-plans=target-cpu=x86-64-v4 --plumb-fuse-tasks=target-cpu=x86-64-v4 --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// A product runs chunk by chunk with the map that computes its input, and so does a later one. Their other operands are computed
// before. The sum needs all chunks, so it stays after the task, and so does the map that overwrites the sum.
// CHECK-LABEL: device.module @joined
// CHECK-DAG: %[[X:.*]] = device.arena.view offset 0 :
// CHECK-DAG: %[[Y:.*]] = device.arena.view offset 8388608 :
// CHECK: call @turn(
// CHECK-NEXT: call @map_in_chunks(%[[X]], %[[Y]])
// CHECK-NOT: kernel.fused
// CHECK: call @product_in_chunks(%{{.*}}, %[[Y]], %{{.*}}) {kernel.fused}
// CHECK-NEXT: %[[V:.*]] = device.arena.view offset 25198592
// CHECK-NEXT: call @product_in_chunks(%[[V]], %[[Y]], %{{.*}}) {kernel.fused}
// CHECK: call @sum(
// CHECK-NEXT: call @map_in_chunks(
// CHECK-NOT: kernel.fused

// Grains become finer until all that one of them touches stays in the cache.
// CHECK-LABEL: func.func private @map_in_chunks(
// CHECK-SAME: kernel.partition = #kernel.partition<@map, chunks = 32, steps = [262144, 262144]>
// CHECK: func.func private @map(%{{.*}}: memref<1024x64xf32, strided<[64, 1]>>
device.module @joined {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<32768x64xf32>
    %y = device.arena.view offset 8388608 : memref<32768x64xf32>
    %z = device.arena.view offset 16777216 : memref<32768x64xf32>
    %w = device.arena.view offset 25165824 : memref<64x64xf32>
    %t = device.arena.view offset 25182208 : memref<64x64xf32>
    func.call @map_in_chunks(%x, %y) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @turn(%w, %t) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
    func.call @product_in_chunks(%z, %y, %t) : (memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>) -> ()
    %s = device.arena.view offset 0 : memref<64x64xf32>
    func.call @sum(%z, %s) : (memref<32768x64xf32>, memref<64x64xf32>) -> ()
    func.call @map_in_chunks(%z, %x) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    %v = device.arena.view offset 25198592 : memref<32768x64xf32>
    func.call @product_in_chunks(%v, %y, %t) : (memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>) -> ()
    device.yield
  }
  func.func private @map_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {kernel.partition = #kernel.partition<@map, chunks = 8, steps = [1048576, 1048576]>}
  func.func private @product_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>)
      attributes {kernel.partition = #kernel.partition<@product, chunks = 8, steps = [1048576, 1048576, 0]>}
  func.func private @map(%x: memref<4096x64xf32, strided<[64, 1]>>, %y: memref<4096x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4096x64xf32, strided<[64, 1]>>) outs(%y : memref<4096x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @product(%z: memref<4096x64xf32, strided<[64, 1]>>,
                             %y: memref<4096x64xf32, strided<[64, 1]>>, %t: memref<64x64xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%z : memref<4096x64xf32, strided<[64, 1]>>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%y, %t : memref<4096x64xf32, strided<[64, 1]>>, memref<64x64xf32>)
        outs(%z : memref<4096x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @turn(%w: memref<64x64xf32>, %t: memref<64x64xf32>) {
    linalg.transpose ins(%w : memref<64x64xf32>) outs(%t : memref<64x64xf32>) permutation = [1, 0]
    return
  }
  func.func private @sum(%z: memref<32768x64xf32>, %w: memref<64x64xf32>) {
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, j)>], iterator_types = ["reduction", "parallel"]}
        ins(%z : memref<32768x64xf32>) outs(%w : memref<64x64xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %r = arith.addf %acc, %a : f32
      linalg.yield %r : f32
    }
    return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Kernels are not fused where chunks overlap: the second kernel is half a chunk further on. Where the caches hold all buffers,
// chunks stay as they are.
// CHECK-LABEL: device.module @apart
// CHECK: call @map_in_chunks
// CHECK-NOT: kernel.fused
// CHECK: call @small_in_chunks(
// CHECK-NOT: kernel.fused
// CHECK: call @small_in_chunks({{.*}}) {kernel.fused}
// CHECK: func.func private @small_in_chunks(
// CHECK-SAME: chunks = 8
device.module @apart {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<32768x64xf32>
    %y = device.arena.view offset 8388608 : memref<32768x64xf32>
    %late = memref.subview %y[2048, 0] [28672, 64] [1, 1]
        : memref<32768x64xf32> to memref<28672x64xf32, strided<[64, 1], offset: 131072>>
    %early = memref.subview %x[0, 0] [28672, 64] [1, 1]
        : memref<32768x64xf32> to memref<28672x64xf32, strided<[64, 1]>>
    func.call @map_in_chunks(%x, %y) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @shifted_in_chunks(%late, %early)
        : (memref<28672x64xf32, strided<[64, 1], offset: 131072>>, memref<28672x64xf32, strided<[64, 1]>>) -> ()
    %s = device.arena.view offset 16777216 : memref<512x64xf32>
    %t = device.arena.view offset 16908288 : memref<512x64xf32>
    func.call @small_in_chunks(%s, %t) : (memref<512x64xf32>, memref<512x64xf32>) -> ()
    func.call @small_in_chunks(%t, %s) : (memref<512x64xf32>, memref<512x64xf32>) -> ()
    device.yield
  }
  func.func private @map_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {kernel.partition = #kernel.partition<@map, chunks = 8, steps = [1048576, 1048576]>}
  func.func private @shifted_in_chunks(memref<28672x64xf32, strided<[64, 1], offset: 131072>>,
                                       memref<28672x64xf32, strided<[64, 1]>>)
      attributes {kernel.partition = #kernel.partition<@shifted, chunks = 8, steps = [917504, 917504]>}
  func.func private @small_in_chunks(memref<512x64xf32>, memref<512x64xf32>)
      attributes {kernel.partition = #kernel.partition<@small, chunks = 8, steps = [16384, 16384]>}
  func.func private @map(%x: memref<4096x64xf32, strided<[64, 1]>>, %y: memref<4096x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4096x64xf32, strided<[64, 1]>>) outs(%y : memref<4096x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @shifted(%x: memref<3584x64xf32, strided<[64, 1], offset: 131072>>, %y: memref<3584x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<3584x64xf32, strided<[64, 1], offset: 131072>>) outs(%y : memref<3584x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @small(%x: memref<64x64xf32, strided<[64, 1]>>, %y: memref<64x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<64x64xf32, strided<[64, 1]>>) outs(%y : memref<64x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// Both products have their sums, for which they have the same place, in registers only: what is done in their ends is all
// that is stored. So the second one can run with each chunk of the first, and so can a third one, whose sums are stored elsewhere.
// The last one's sums would be where other chunks of the third have results.
// CHECK-LABEL: device.module @unstored
// CHECK: call @product_then_max_in_chunks(
// CHECK-NOT: kernel.fused
// CHECK: call @product_then_max_in_chunks({{.*}}) {kernel.fused}
// CHECK: call @stored_in_chunks({{.*}}) {kernel.fused}
// CHECK: call @stored_in_chunks(
// CHECK-NOT: kernel.fused
device.module @unstored {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<64x64xf32>
    %sums = device.arena.view offset 32768 : memref<64x64xf32>
    %y = device.arena.view offset 65536 : memref<64x64xf32>
    %z = device.arena.view offset 98304 : memref<64x64xf32>
    %w = device.arena.view offset 131072 : memref<64x64xf32>
    func.call @product_then_max_in_chunks(%sums, %x, %w, %y)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    %shifted = device.arena.view offset 40960 : memref<64x64xf32>
    func.call @product_then_max_in_chunks(%shifted, %y, %w, %z)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    func.call @stored_in_chunks(%y, %z, %w, %shifted)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    func.call @stored_in_chunks(%sums, %shifted, %w, %x)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    device.yield
  }
  func.func private @product_then_max_in_chunks(memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
      attributes {kernel.partition = #kernel.partition<@product_then_max, chunks = 2, steps = [8192, 8192, 0, 8192]>}
  func.func private @stored_in_chunks(memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
      attributes {kernel.partition = #kernel.partition<@stored, chunks = 2, steps = [8192, 8192, 0, 8192]>}
  func.func private @product_then_max(%s: memref<32x64xf32, strided<[64, 1]>>, %x: memref<32x64xf32, strided<[64, 1]>>,
                                      %w: memref<64x64xf32>, %y: memref<32x64xf32, strided<[64, 1]>>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%s : memref<32x64xf32, strided<[64, 1]>>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : memref<32x64xf32, strided<[64, 1]>>, memref<64x64xf32>)
        outs(%s : memref<32x64xf32, strided<[64, 1]>>) attrs = {kernel.transient} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s : memref<32x64xf32, strided<[64, 1]>>)
        outs(%y : memref<32x64xf32, strided<[64, 1]>>) attrs = {kernel.epilogue} {
    ^bb0(%a: f32, %b: f32):
      %r = arith.maximumf %a, %zero : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @stored(%s: memref<32x64xf32, strided<[64, 1]>>, %x: memref<32x64xf32, strided<[64, 1]>>,
                            %w: memref<64x64xf32>, %y: memref<32x64xf32, strided<[64, 1]>>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%s : memref<32x64xf32, strided<[64, 1]>>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : memref<32x64xf32, strided<[64, 1]>>, memref<64x64xf32>)
        outs(%s : memref<32x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s : memref<32x64xf32, strided<[64, 1]>>)
        outs(%y : memref<32x64xf32, strided<[64, 1]>>) attrs = {kernel.epilogue} {
    ^bb0(%a: f32, %b: f32):
      %r = arith.maximumf %a, %zero : f32
      linalg.yield %r : f32
    }
    return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vector = affine_map<(i) -> (i)>

// A small kernel joins a large one that no other large one has joined.
// CHECK-LABEL: device.module @both
// CHECK: call @sums_in_chunks(
// CHECK-NEXT: call @doubled_in_chunks({{.*}}) {kernel.fused}
// CHECK: func.func private @sums_in_chunks(
// CHECK-SAME: chunks = 8
device.module @both {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<4096x64xf32>
    %s = device.arena.view offset 1048576 : memref<4096xf32>
    %y = device.arena.view offset 1064960 : memref<4096xf32>
    func.call @sums_in_chunks(%x, %s) : (memref<4096x64xf32>, memref<4096xf32>) -> ()
    func.call @doubled_in_chunks(%s, %y) : (memref<4096xf32>, memref<4096xf32>) -> ()
    device.yield
  }
  func.func private @sums_in_chunks(memref<4096x64xf32>, memref<4096xf32>)
      attributes {kernel.partition = #kernel.partition<@sums, chunks = 8, steps = [131072, 2048]>}
  func.func private @doubled_in_chunks(memref<4096xf32>, memref<4096xf32>)
      attributes {kernel.partition = #kernel.partition<@doubled, chunks = 8, steps = [2048, 2048]>}
  func.func private @sums(%x: memref<512x64xf32, strided<[64, 1]>>, %s: memref<512xf32, strided<[1]>>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%s : memref<512xf32, strided<[1]>>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<512x64xf32, strided<[64, 1]>>) outs(%s : memref<512xf32, strided<[1]>>) {
    ^bb0(%a: f32, %acc: f32):
      %r = arith.addf %acc, %a : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @doubled(%s: memref<512xf32, strided<[1]>>, %y: memref<512xf32, strided<[1]>>) {
    linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]}
        ins(%s : memref<512xf32, strided<[1]>>) outs(%y : memref<512xf32, strided<[1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The offset that a rebased view has lost counts: the second kernel's chunks read what other chunks of the first one write. Those
// of the third one read what the same chunks write.
// CHECK-LABEL: device.module @rebased
// CHECK: call @map_in_chunks(
// CHECK: call @map_in_chunks(%{{.*}}, %[[Z:.*]]) : (memref<32768x64xf32>
// CHECK: call @map_in_chunks(%[[Z]], {{.*}}) {kernel.fused}
// CHECK-NOT: kernel.fused
// CHECK: func.func private
device.module @rebased {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<32768x64xf32>
    %y = device.arena.view offset 8388608 : memref<36864x64xf32>
    %early = memref.subview %y[0, 0] [32768, 64] [1, 1] : memref<36864x64xf32> to memref<32768x64xf32, strided<[64, 1]>>
    %late = memref.subview %y[2048, 0] [32768, 64] [1, 1]
        : memref<36864x64xf32> to memref<32768x64xf32, strided<[64, 1], offset: 131072>>
    %from = kernel.rebase %early : memref<32768x64xf32, strided<[64, 1]>> to memref<32768x64xf32>
    %shifted = kernel.rebase %late : memref<32768x64xf32, strided<[64, 1], offset: 131072>> to memref<32768x64xf32>
    %z = device.arena.view offset 17825792 : memref<32768x64xf32>
    %u = device.arena.view offset 26214400 : memref<32768x64xf32>
    func.call @map_in_chunks(%x, %from) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @map_in_chunks(%shifted, %z) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @map_in_chunks(%z, %u) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    device.yield
  }
  func.func private @map_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {kernel.partition = #kernel.partition<@map, chunks = 8, steps = [1048576, 1048576]>}
  func.func private @map(%x: memref<4096x64xf32, strided<[64, 1]>>, %y: memref<4096x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4096x64xf32, strided<[64, 1]>>) outs(%y : memref<4096x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
}

// -----

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// The product's end keeps in registers what it puts in the place of %d, but it reads first what %d held: the product stays behind
// the call that computes %d, which has other chunks and so is no part of a task with the map.
// CHECK-LABEL: device.module @in_place
// CHECK: call @map_in_chunks(
// CHECK-NEXT: call @double_in_chunks(
// CHECK-NEXT: call @product_in_chunks(
// CHECK-NOT: kernel.fused
// CHECK: func.func private
device.module @in_place {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<32768x64xf32>
    %y = device.arena.view offset 8388608 : memref<32768x64xf32>
    %z = device.arena.view offset 16777216 : memref<32768x64xf32>
    %d = device.arena.view offset 25165824 : memref<32768x64xf32>
    %t = device.arena.view offset 33554432 : memref<64x64xf32>
    func.call @map_in_chunks(%x, %y) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @double_in_chunks(%x, %d) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @product_in_chunks(%z, %y, %t, %d)
        : (memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>, memref<32768x64xf32>) -> ()
    device.yield
  }
  func.func private @map_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {kernel.partition = #kernel.partition<@map, chunks = 8, steps = [1048576, 1048576]>}
  func.func private @double_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {kernel.partition = #kernel.partition<@double, chunks = 4, steps = [2097152, 2097152]>}
  func.func private @product_in_chunks(memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>, memref<32768x64xf32>)
      attributes {kernel.partition = #kernel.partition<@product, chunks = 8, steps = [1048576, 1048576, 0, 1048576]>}
  func.func private @map(%x: memref<4096x64xf32, strided<[64, 1]>>, %y: memref<4096x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<4096x64xf32, strided<[64, 1]>>) outs(%y : memref<4096x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @double(%x: memref<8192x64xf32, strided<[64, 1]>>, %y: memref<8192x64xf32, strided<[64, 1]>>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<8192x64xf32, strided<[64, 1]>>) outs(%y : memref<8192x64xf32, strided<[64, 1]>>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @product(%z: memref<4096x64xf32, strided<[64, 1]>>, %y: memref<4096x64xf32, strided<[64, 1]>>,
                             %t: memref<64x64xf32>, %d: memref<4096x64xf32, strided<[64, 1]>>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%z : memref<4096x64xf32, strided<[64, 1]>>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%y, %t : memref<4096x64xf32, strided<[64, 1]>>, memref<64x64xf32>)
        outs(%z : memref<4096x64xf32, strided<[64, 1]>>) attrs = {kernel.transient} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%d, %z : memref<4096x64xf32, strided<[64, 1]>>, memref<4096x64xf32, strided<[64, 1]>>)
        outs(%d : memref<4096x64xf32, strided<[64, 1]>>) attrs = {kernel.epilogue, kernel.transient} {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%d : memref<4096x64xf32, strided<[64, 1]>>) outs(%z : memref<4096x64xf32, strided<[64, 1]>>)
        attrs = {kernel.epilogue} {
    ^bb0(%a: f32, %o: f32):
      %r = arith.mulf %a, %a : f32
      linalg.yield %r : f32
    }
    return
  }
}
