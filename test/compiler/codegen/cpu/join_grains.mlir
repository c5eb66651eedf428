// RUN: plumb-opt %s --plumb-join-grains=target-cpu=x86-64-v4 --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// A product goes on grain by grain with the map that makes its input, and so does a later one. What they need beside that
// is done before. The sum needs all grains: it waits, and so does the map behind it, which takes the sum's place.
// CHECK-LABEL: device.module @joined
// CHECK-DAG: %[[X:.*]] = device.arena.view offset 0 :
// CHECK-DAG: %[[Y:.*]] = device.arena.view offset 8388608 :
// CHECK: call @turn(
// CHECK-NEXT: call @map_in_grains(%[[X]], %[[Y]])
// CHECK-NOT: device.joined
// CHECK: call @product_in_grains(%{{.*}}, %[[Y]], %{{.*}}) {device.joined}
// CHECK-NEXT: %[[V:.*]] = device.arena.view offset 25198592
// CHECK-NEXT: call @product_in_grains(%[[V]], %[[Y]], %{{.*}}) {device.joined}
// CHECK: call @sum(
// CHECK-NEXT: call @map_in_grains(
// CHECK-NOT: device.joined

// Grains become finer until all that one of them touches stays in the cache.
// CHECK-LABEL: func.func private @map_in_grains(
// CHECK-SAME: device.grains = 32 : i64, device.part = @map, device.steps = array<i64: 262144, 262144>
// CHECK: func.func private @map(%{{.*}}: memref<1024x64xf32, strided<[64, 1]>>
device.module @joined {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<32768x64xf32>
    %y = device.arena.view offset 8388608 : memref<32768x64xf32>
    %z = device.arena.view offset 16777216 : memref<32768x64xf32>
    %w = device.arena.view offset 25165824 : memref<64x64xf32>
    %t = device.arena.view offset 25182208 : memref<64x64xf32>
    func.call @map_in_grains(%x, %y) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @turn(%w, %t) : (memref<64x64xf32>, memref<64x64xf32>) -> ()
    func.call @product_in_grains(%z, %y, %t) : (memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>) -> ()
    %s = device.arena.view offset 0 : memref<64x64xf32>
    func.call @sum(%z, %s) : (memref<32768x64xf32>, memref<64x64xf32>) -> ()
    func.call @map_in_grains(%z, %x) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    %v = device.arena.view offset 25198592 : memref<32768x64xf32>
    func.call @product_in_grains(%v, %y, %t) : (memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>) -> ()
    device.yield
  }
  func.func private @map_in_grains(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {device.grains = 8 : i64, device.part = @map, device.steps = array<i64: 1048576, 1048576>}
  func.func private @product_in_grains(memref<32768x64xf32>, memref<32768x64xf32>, memref<64x64xf32>)
      attributes {device.grains = 8 : i64, device.part = @product, device.steps = array<i64: 1048576, 1048576, 0>}
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

// Nothing is joined where grains would meet: the second kernel works half a grain
// further on. Where the cache holds everything anyway, grains stay as they are.
// CHECK-LABEL: device.module @apart
// CHECK: call @map_in_grains
// CHECK-NOT: device.joined
// CHECK: call @small_in_grains(
// CHECK-NOT: device.joined
// CHECK: call @small_in_grains({{.*}}) {device.joined}
// CHECK: func.func private @small_in_grains(
// CHECK-SAME: device.grains = 8
device.module @apart {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<32768x64xf32>
    %y = device.arena.view offset 8388608 : memref<32768x64xf32>
    %late = memref.subview %y[2048, 0] [28672, 64] [1, 1]
        : memref<32768x64xf32> to memref<28672x64xf32, strided<[64, 1], offset: 131072>>
    %early = memref.subview %x[0, 0] [28672, 64] [1, 1]
        : memref<32768x64xf32> to memref<28672x64xf32, strided<[64, 1]>>
    func.call @map_in_grains(%x, %y) : (memref<32768x64xf32>, memref<32768x64xf32>) -> ()
    func.call @shifted_in_grains(%late, %early)
        : (memref<28672x64xf32, strided<[64, 1], offset: 131072>>, memref<28672x64xf32, strided<[64, 1]>>) -> ()
    %s = device.arena.view offset 16777216 : memref<512x64xf32>
    %t = device.arena.view offset 16908288 : memref<512x64xf32>
    func.call @small_in_grains(%s, %t) : (memref<512x64xf32>, memref<512x64xf32>) -> ()
    func.call @small_in_grains(%t, %s) : (memref<512x64xf32>, memref<512x64xf32>) -> ()
    device.yield
  }
  func.func private @map_in_grains(memref<32768x64xf32>, memref<32768x64xf32>)
      attributes {device.grains = 8 : i64, device.part = @map, device.steps = array<i64: 1048576, 1048576>}
  func.func private @shifted_in_grains(memref<28672x64xf32, strided<[64, 1], offset: 131072>>,
                                       memref<28672x64xf32, strided<[64, 1]>>)
      attributes {device.grains = 8 : i64, device.part = @shifted, device.steps = array<i64: 917504, 917504>}
  func.func private @small_in_grains(memref<512x64xf32>, memref<512x64xf32>)
      attributes {device.grains = 8 : i64, device.part = @small, device.steps = array<i64: 16384, 16384>}
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
// that is stored. So the second one can go on with each grain of the first, and a third one, whose sums are stored elsewhere.
// The last one's would lie where other grains of the third have results.
// CHECK-LABEL: device.module @unstored
// CHECK: call @product_then_max_in_grains(
// CHECK-NOT: device.joined
// CHECK: call @product_then_max_in_grains({{.*}}) {device.joined}
// CHECK: call @stored_in_grains({{.*}}) {device.joined}
// CHECK: call @stored_in_grains(
// CHECK-NOT: device.joined
device.module @unstored {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<64x64xf32>
    %sums = device.arena.view offset 32768 : memref<64x64xf32>
    %y = device.arena.view offset 65536 : memref<64x64xf32>
    %z = device.arena.view offset 98304 : memref<64x64xf32>
    %w = device.arena.view offset 131072 : memref<64x64xf32>
    func.call @product_then_max_in_grains(%sums, %x, %w, %y)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    %shifted = device.arena.view offset 40960 : memref<64x64xf32>
    func.call @product_then_max_in_grains(%shifted, %y, %w, %z)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    func.call @stored_in_grains(%y, %z, %w, %shifted)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    func.call @stored_in_grains(%sums, %shifted, %w, %x)
        : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    device.yield
  }
  func.func private @product_then_max_in_grains(memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
      attributes {device.grains = 2 : i64, device.part = @product_then_max, device.steps = array<i64: 8192, 8192, 0, 8192>}
  func.func private @stored_in_grains(memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>)
      attributes {device.grains = 2 : i64, device.part = @stored, device.steps = array<i64: 8192, 8192, 0, 8192>}
  func.func private @product_then_max(%s: memref<32x64xf32, strided<[64, 1]>>, %x: memref<32x64xf32, strided<[64, 1]>>,
                                      %w: memref<64x64xf32>, %y: memref<32x64xf32, strided<[64, 1]>>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%s : memref<32x64xf32, strided<[64, 1]>>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : memref<32x64xf32, strided<[64, 1]>>, memref<64x64xf32>)
        outs(%s : memref<32x64xf32, strided<[64, 1]>>) attrs = {device.transient} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s : memref<32x64xf32, strided<[64, 1]>>)
        outs(%y : memref<32x64xf32, strided<[64, 1]>>) attrs = {device.epilogue} {
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
        outs(%y : memref<32x64xf32, strided<[64, 1]>>) attrs = {device.epilogue} {
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

// A small kernel goes on with a large one that has joined none of its own size.
// CHECK-LABEL: device.module @both
// CHECK: call @sums_in_grains(
// CHECK-NEXT: call @doubled_in_grains({{.*}}) {device.joined}
// CHECK: func.func private @sums_in_grains(
// CHECK-SAME: device.grains = 8
device.module @both {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<4096x64xf32>
    %s = device.arena.view offset 1048576 : memref<4096xf32>
    %y = device.arena.view offset 1064960 : memref<4096xf32>
    func.call @sums_in_grains(%x, %s) : (memref<4096x64xf32>, memref<4096xf32>) -> ()
    func.call @doubled_in_grains(%s, %y) : (memref<4096xf32>, memref<4096xf32>) -> ()
    device.yield
  }
  func.func private @sums_in_grains(memref<4096x64xf32>, memref<4096xf32>)
      attributes {device.grains = 8 : i64, device.part = @sums, device.steps = array<i64: 131072, 2048>}
  func.func private @doubled_in_grains(memref<4096xf32>, memref<4096xf32>)
      attributes {device.grains = 8 : i64, device.part = @doubled, device.steps = array<i64: 2048, 2048>}
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
