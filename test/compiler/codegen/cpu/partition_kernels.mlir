// RUN: plumb-opt %s --plumb-partition-kernels=target-cpu=x86-64-v4 | FileCheck %s

// A product is partitioned along its rows, like the fill before it; an operand that all chunks read has the step zero.
// CHECK-LABEL: device.loop @train
// CHECK: call @product_in_chunks(
// Small kernels are not partitioned.
// CHECK: call @small(
// A transpose before a product is partitioned with it where each chunk needs its own part only.
// CHECK: call @packed_in_chunks(
// An operation whose chunks would read what another chunk writes is not partitioned.
// CHECK: call @shifted(
// Reshaped buffers are partitioned in the shape of their use, and a chunk needs no reshape.
// CHECK: call @reshaped_in_chunks(
// A map is partitioned along its outer loops: chunks of few channels per pixel would share lines.
// CHECK: call @channels_in_chunks(
// A sum with few results has partial results in scratch memory behind the arena, which one thread adds up.
// CHECK: %[[PARTS:.*]] = device.arena.view offset 21102720 : memref<[[CHUNKS:[0-9]+]]x16x1xf32>
// CHECK: call @gradient_in_chunks(%{{.*}}, %{{.*}}, %[[PARTS]])
// CHECK: %[[SAME:.*]] = device.arena.view offset 21102720
// CHECK: call @gradient_sums(%{{.*}}, %[[SAME]])
// CHECK: call @lookup_in_chunks(
// Where a chunk might read elements that another one writes, the kernel is not partitioned.
// CHECK: call @in_place(
#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
device.module @net attributes {arena_bytes = 21102720 : i64} {
  device.variable @table : tensor<2x50x64xf32> = dense<0.0> : tensor<2x50x64xf32>
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<128x256xf32>
    %w = device.arena.view offset 262144 : memref<256x128xf32>
    %y = device.arena.view offset 524288 : memref<128x128xf32>
    %s = device.arena.view offset 1048576 : memref<64xf32>
    %t = device.arena.view offset 2097152 : memref<256x128xf32>
    %q = device.arena.view offset 3145728 : memref<128x128xf32>
    func.call @product(%y, %x, %w) : (memref<128x128xf32>, memref<128x256xf32>, memref<256x128xf32>) -> ()
    func.call @small(%s) : (memref<64xf32>) -> ()
    func.call @packed(%x, %t, %q) : (memref<128x256xf32>, memref<256x128xf32>, memref<128x128xf32>) -> ()
    func.call @shifted(%q) : (memref<128x128xf32>) -> ()
    func.call @reshaped(%y, %x, %w) : (memref<128x128xf32>, memref<128x256xf32>, memref<256x128xf32>) -> ()
    %u = device.arena.view offset 4194304 : memref<64x64x64xf32>
    %c = device.arena.view offset 5242880 : memref<64xf32>
    func.call @channels(%u, %c) : (memref<64x64x64xf32>, memref<64xf32>) -> ()
    %d = device.arena.view offset 8388608 : memref<16384x16xf32>
    %e = device.arena.view offset 9437184 : memref<16384x1xf32>
    %g = device.arena.view offset 10485760 : memref<16x1xf32>
    func.call @gradient(%g, %d, %e) : (memref<16x1xf32>, memref<16384x16xf32>, memref<16384x1xf32>) -> ()
    %table = device.variable.view @table : memref<2x50x64xf32>
    %i = device.arena.view offset 12583040 : memref<32768xi32>
    %z = device.arena.view offset 12714112 : memref<32768x64xf32>
    %scale = arith.constant 2.0 : f32
    func.call @lookup(%i, %z, %table, %scale) : (memref<32768xi32>, memref<32768x64xf32>, memref<2x50x64xf32>, f32) -> ()
    func.call @in_place(%i, %z) : (memref<32768xi32>, memref<32768x64xf32>) -> ()
    device.yield
  }
  // CHECK: func.func private @product_in_chunks(memref<128x128xf32>, memref<128x256xf32>, memref<256x128xf32>) attributes {kernel.partition = #kernel.partition<@product, chunks = {{[0-9]+}}, steps = [32768, 65536, 0]>}
  // CHECK: func.func private @product(%{{.*}}: memref<[[ROWS:[0-9]+]]x128xf32, strided<[128, 1]>> {llvm.noalias}, %{{.*}}: memref<[[ROWS]]x256xf32, strided<[256, 1]>>, %{{.*}}: memref<256x128xf32>)
  // CHECK: linalg.fill
  // CHECK: linalg.generic
  func.func private @product(%y: memref<128x128xf32> {llvm.noalias}, %x: memref<128x256xf32>, %w: memref<256x128xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%y : memref<128x128xf32>)
    linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : memref<128x256xf32>, memref<256x128xf32>) outs(%y : memref<128x128xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @small(%s: memref<64xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
    return
  }
  func.func private @packed(%x: memref<128x256xf32>, %t: memref<256x128xf32>, %q: memref<128x128xf32>) {
    linalg.transpose ins(%x : memref<128x256xf32>) outs(%t : memref<256x128xf32>) permutation = [1, 0]
    linalg.generic {indexing_maps = [#columns, #rows, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%t, %x : memref<256x128xf32>, memref<128x256xf32>) outs(%q : memref<128x128xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
  func.func private @shifted(%q: memref<128x128xf32>) {
    linalg.generic {indexing_maps = [#transposed, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%q : memref<128x128xf32>) outs(%q : memref<128x128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
    }
    return
  }
  // CHECK: func.func private @reshaped_in_chunks(memref<128x256xf32>, memref<256x128xf32>, memref<128x128xf32>)
  // CHECK-LABEL: func.func private @reshaped(
  // CHECK-SAME: strided<[8192, 128, 1]>> {llvm.noalias}
  // CHECK-NOT: memref.expand_shape
  // CHECK: linalg.generic
  func.func private @reshaped(%y: memref<128x128xf32> {llvm.noalias}, %x: memref<128x256xf32>, %w: memref<256x128xf32>) {
    %result = memref.expand_shape %y [[0, 1], [2]] output_shape [2, 64, 128] : memref<128x128xf32> into memref<2x64x128xf32>
    %left = memref.expand_shape %x [[0, 1], [2]] output_shape [2, 64, 256] : memref<128x256xf32> into memref<2x64x256xf32>
    linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
                    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%left, %w : memref<2x64x256xf32>, memref<256x128xf32>) outs(%result : memref<2x64x128xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
  // CHECK: func.func private @channels_in_chunks({{.*}}) attributes {{.*}}steps = [0, {{[0-9]+}}]>}
  func.func private @channels(%u: memref<64x64x64xf32>, %c: memref<64xf32>) {
    linalg.generic {indexing_maps = [affine_map<(n, x, c) -> (c)>, affine_map<(n, x, c) -> (n, x, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%c : memref<64xf32>) outs(%u : memref<64x64x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    }
    return
  }
  // CHECK: func.func private @gradient_in_chunks(memref<16384x16xf32>, memref<16384x1xf32>, memref<[[CHUNKS]]x16x1xf32>)
  // CHECK-SAME: kernel.partition = #kernel.partition<@gradient, chunks = [[CHUNKS]], steps = [{{[0-9]+}}, {{[0-9]+}}, 64]>
  // CHECK-LABEL: func.func private @gradient(
  // CHECK-SAME: memref<16x1xf32> {llvm.noalias}
  // CHECK: linalg.fill
  // CHECK: linalg.generic
  // A part of the sum is read by another function, so it is stored.
  // CHECK-NOT: kernel.transient
  // CHECK-LABEL: func.func private @gradient_sums(
  // CHECK: linalg.fill
  // CHECK: linalg.generic
  // CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
  func.func private @gradient(%g: memref<16x1xf32> {llvm.noalias}, %d: memref<16384x16xf32>, %e: memref<16384x1xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%g : memref<16x1xf32>)
    linalg.generic {indexing_maps = [affine_map<(o, c, n) -> (n, o)>, affine_map<(o, c, n) -> (n, c)>, affine_map<(o, c, n) -> (o, c)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%d, %e : memref<16384x16xf32>, memref<16384x1xf32>) outs(%g : memref<16x1xf32>) attrs = {kernel.transient} {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
    }
    return
  }
  // Every chunk reads the complete table that the body captures, in its reshaped form.
  // CHECK: func.func private @lookup_in_chunks(memref<32768xi32>, memref<32768x64xf32>, memref<2x50x64xf32>, f32) attributes {{.*}}steps = [{{[1-9][0-9]*}}, {{[1-9][0-9]*}}, 0, 0]>}
  // CHECK-LABEL: func.func private @lookup(
  // CHECK-SAME: %[[TABLE:[a-z0-9]+]]: memref<2x50x64xf32>
  // CHECK: %[[ROWS:.*]] = memref.collapse_shape %[[TABLE]]
  // CHECK: memref.load %[[ROWS]]
  func.func private @lookup(%i: memref<32768xi32>, %y: memref<32768x64xf32>, %table: memref<2x50x64xf32>, %scale: f32) {
    %rows = memref.collapse_shape %table [[0, 1], [2]] : memref<2x50x64xf32> into memref<100x64xf32>
    linalg.generic {indexing_maps = [affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : memref<32768xi32>) outs(%y : memref<32768x64xf32>) {
    ^bb0(%index: i32, %o: f32):
      %r = arith.index_cast %index : i32 to index
      %c = linalg.index 1 : index
      %e = memref.load %rows[%r, %c] : memref<100x64xf32>
      %s = arith.mulf %e, %scale : f32
      linalg.yield %s : f32
    }
    return
  }
  func.func private @in_place(%i: memref<32768xi32>, %y: memref<32768x64xf32>) {
    linalg.generic {indexing_maps = [affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : memref<32768xi32>) outs(%y : memref<32768x64xf32>) {
    ^bb0(%index: i32, %o: f32):
      %r = arith.index_cast %index : i32 to index
      %c = linalg.index 1 : index
      %e = memref.load %y[%r, %c] : memref<32768x64xf32>
      linalg.yield %e : f32
    }
    return
  }
}
