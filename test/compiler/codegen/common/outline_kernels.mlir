// RUN: plumb-opt %s --plumb-outline-kernels | FileCheck %s

// Fills go with what follows them; equal kernels share a function; buffers that
// overlap are no `noalias`.
// CHECK-LABEL: device.loop @train
// CHECK: %[[A:.*]] = device.arena.view offset 0
// CHECK: %[[B:.*]] = device.arena.view offset 256
// CHECK: %[[C:.*]] = device.arena.view offset 512
// CHECK: %[[O:.*]] = device.arena.view offset 128
// CHECK-NOT: linalg
// CHECK: call @plumb_kernel_0(%[[B]], %[[A]])
// CHECK: call @plumb_kernel_0(%[[C]], %[[B]])
// CHECK: call @plumb_kernel_1(%[[A]], %[[O]])
// CHECK: func.func private @plumb_kernel_0(%{{.*}}: memref<64xf32> {llvm.noalias}, %{{.*}}: memref<64xf32> {llvm.noalias})
// CHECK: arith.constant
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK: func.func private @plumb_kernel_1(%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>)
// CHECK-NOT: @plumb_kernel_2
#id = affine_map<(i) -> (i)>
device.module @net attributes {arena_bytes = 768 : i64} {
  device.loop @train {mode = "train"} {
    %zero = arith.constant 0.0 : f32
    %a = device.arena.view offset 0 : memref<64xf32>
    %b = device.arena.view offset 256 : memref<64xf32>
    %c = device.arena.view offset 512 : memref<64xf32>
    %o = device.arena.view offset 128 : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
    linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf32>) outs(%c : memref<64xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
    linalg.copy ins(%a : memref<64xf32>) outs(%o : memref<64xf32>)
    device.yield
  }
}

// What is marked goes along with the operation before it, and a reshape between
// them is made inside: both see one buffer.
// CHECK-LABEL: device.module @marked
// CHECK: call @plumb_kernel_0(%{{.*}}, %{{.*}}) : (memref<4x16xf32>, memref<64xf32>) -> ()
// CHECK: func.func private @plumb_kernel_0
// CHECK-SAME: %[[Y:.*]]: memref<4x16xf32>
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[Y]]
// CHECK: linalg.fill {{.*}} outs(%[[Y]]
// CHECK: linalg.generic {{.*}} ins(%[[FLAT]]
// CHECK-NOT: @plumb_kernel_1
device.module @marked attributes {arena_bytes = 768 : i64} {
  device.loop @train {mode = "train"} {
    %zero = arith.constant 0.0 : f32
    %y = device.arena.view offset 0 : memref<4x16xf32>
    %z = device.arena.view offset 256 : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%y : memref<4x16xf32>)
    %flat = memref.collapse_shape %y [[0, 1]] : memref<4x16xf32> into memref<64xf32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%flat : memref<64xf32>) outs(%z : memref<64xf32>) attrs = {kernel.epilogue} {
    ^bb0(%x: f32, %o: f32):
      %s = arith.addf %x, %x : f32
      linalg.yield %s : f32
    }
    device.yield
  }
}

// Halos go along with what reads them; the argument is what is in memory.
// CHECK-LABEL: device.module @halo
// CHECK: func.func private @plumb_kernel_0(%[[X:[a-z0-9]+]]: memref<4xf32>
// CHECK: device.halo %[[X]] low [1] high [1]
// CHECK: linalg.generic
device.module @halo attributes {arena_bytes = 768 : i64} {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<4xf32>
    %k = device.arena.view offset 256 : memref<3xf32>
    %y = device.arena.view offset 512 : memref<4xf32>
    %p = device.halo %x low [1] high [1] : memref<4xf32> to memref<6xf32, strided<[1]>>
    linalg.generic {indexing_maps = [affine_map<(h, i) -> (h + i)>, affine_map<(h, i) -> (i)>, affine_map<(h, i) -> (h)>],
                    iterator_types = ["parallel", "reduction"]}
        ins(%p, %k : memref<6xf32, strided<[1]>>, memref<3xf32>) outs(%y : memref<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    }
    device.yield
  }
}

// A copy before a loop does not go with what follows behind the loop.
// CHECK-LABEL: device.module @before_loop
// CHECK: call @[[COPY:.*]](%{{.*}}, %[[Y:.*]]) : (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT: scf.for
// CHECK: call @[[LATE:.*]](%[[Y]])
device.module @before_loop attributes {arena_bytes = 768 : i64} {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<4xf32>
    %y = device.arena.view offset 256 : memref<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
    scf.for %i = %c0 to %c2 step %c1 {
      linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
    }
    linalg.abs ins(%y : memref<4xf32>) outs(%y : memref<4xf32>)
    device.yield
  }
}

// What a body captures becomes an argument; views of it and constants are made inside.
// CHECK-LABEL: device.module @lookup
// CHECK: %[[TABLE:.*]] = device.variable.view @table
// CHECK: %[[I:.*]] = device.arena.view offset 0
// CHECK: %[[Y:.*]] = device.arena.view offset 256
// CHECK: call @plumb_kernel_0(%[[I]], %[[Y]], %[[TABLE]])
// CHECK: func.func private @plumb_kernel_0(%{{.*}}: memref<4xi32> {llvm.noalias}, %{{.*}}: memref<4x8xf32> {llvm.noalias}, %[[T:.*]]: memref<2x5x8xf32> {llvm.noalias})
// CHECK: %[[ROWS:.*]] = memref.collapse_shape %[[T]]
// CHECK: linalg.generic
// CHECK: memref.load %[[ROWS]]
device.module @lookup attributes {arena_bytes = 768 : i64} {
  device.variable @table : tensor<2x5x8xf32> = dense<0.0> : tensor<2x5x8xf32>
  device.loop @train {mode = "train"} {
    %table = device.variable.view @table : memref<2x5x8xf32>
    %rows = memref.collapse_shape %table [[0, 1], [2]] : memref<2x5x8xf32> into memref<10x8xf32>
    %i = device.arena.view offset 0 : memref<4xi32>
    %y = device.arena.view offset 256 : memref<4x8xf32>
    linalg.generic {indexing_maps = [affine_map<(r, c) -> (r)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
        ins(%i : memref<4xi32>) outs(%y : memref<4x8xf32>) {
    ^bb0(%index: i32, %o: f32):
      %r = arith.index_cast %index : i32 to index
      %c = linalg.index 1 : index
      %e = memref.load %rows[%r, %c] : memref<10x8xf32>
      linalg.yield %e : f32
    }
    device.yield
  }
}

// Kernels take the addresses of views, so those that differ in offsets share a function; a view whose elements are contiguous is
// a buffer like any other. Overlapping views stay no `noalias`. One operation rebases a view for all kernels that use it.
// CHECK-LABEL: device.module @slices
// CHECK: %[[X:.*]] = device.arena.view offset 0
// CHECK: %[[V0:.*]] = memref.subview %[[X]][0, 4]
// CHECK-NEXT: %[[R0:.*]] = kernel.rebase %[[V0]] : memref<4x4xf32, strided<[16, 1], offset: 4>> to memref<4x4xf32, strided<[16, 1]>>
// CHECK: %[[V1:.*]] = memref.subview %[[X]][0, 8]
// CHECK-NEXT: %[[R1:.*]] = kernel.rebase %[[V1]] : memref<4x4xf32, strided<[16, 1], offset: 8>> to memref<4x4xf32, strided<[16, 1]>>
// CHECK-NEXT: %[[V2:.*]] = memref.subview %[[X]][1, 0]
// CHECK-NEXT: %[[R2:.*]] = kernel.rebase %[[V2]] : memref<16xf32, strided<[1], offset: 16>> to memref<16xf32>
// CHECK: call @plumb_kernel_0(%[[R0]], %[[Y:[a-z0-9_]+]])
// CHECK: call @plumb_kernel_0(%[[R1]], %[[Y]])
// CHECK: call @plumb_kernel_1(%[[R2]], %[[B:[a-z0-9_]+]])
// CHECK: call @plumb_kernel_1(%[[B]], %[[C:[a-z0-9_]+]])
// CHECK: call @plumb_kernel_2(%[[R0]], %[[R1]])
// CHECK: call @plumb_kernel_3(%[[R0]], %[[C]])
// CHECK: func.func private @plumb_kernel_0(%[[A:.*]]: memref<4x4xf32, strided<[16, 1]>> {llvm.noalias}, %{{.*}}: memref<4x4xf32> {llvm.noalias})
// CHECK: linalg.copy ins(%[[A]] : memref<4x4xf32, strided<[16, 1]>>)
// CHECK: func.func private @plumb_kernel_1(%{{.*}}: memref<16xf32> {llvm.noalias}, %{{.*}}: memref<16xf32> {llvm.noalias})
// CHECK: func.func private @plumb_kernel_2(%{{.*}}: memref<4x4xf32, strided<[16, 1]>>, %{{.*}}: memref<4x4xf32, strided<[16, 1]>>)
// CHECK: func.func private @plumb_kernel_3(%[[A:.*]]: memref<4x4xf32, strided<[16, 1]>> {llvm.noalias}
// CHECK: memref.expand_shape %[[A]] {{.*}} into memref<2x2x4xf32, strided<[32, 16, 1]>>
device.module @slices attributes {arena_bytes = 1024 : i64} {
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<4x16xf32>
    %0 = memref.subview %x[0, 4] [4, 4] [1, 1] : memref<4x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 4>>
    %1 = memref.subview %x[0, 8] [4, 4] [1, 1] : memref<4x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 8>>
    %2 = memref.subview %x[1, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<16xf32, strided<[1], offset: 16>>
    %y = device.arena.view offset 256 : memref<4x4xf32>
    %b = device.arena.view offset 512 : memref<16xf32>
    %c = device.arena.view offset 576 : memref<16xf32>
    linalg.copy ins(%0 : memref<4x4xf32, strided<[16, 1], offset: 4>>) outs(%y : memref<4x4xf32>)
    device.emit @first, %y : memref<4x4xf32>
    linalg.copy ins(%1 : memref<4x4xf32, strided<[16, 1], offset: 8>>) outs(%y : memref<4x4xf32>)
    device.emit @second, %y : memref<4x4xf32>
    linalg.exp ins(%2 : memref<16xf32, strided<[1], offset: 16>>) outs(%b : memref<16xf32>)
    linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    linalg.exp ins(%0 : memref<4x4xf32, strided<[16, 1], offset: 4>>) outs(%1 : memref<4x4xf32, strided<[16, 1], offset: 8>>)
    %3 = memref.expand_shape %0 [[0, 1], [2]] output_shape [2, 2, 4]
        : memref<4x4xf32, strided<[16, 1], offset: 4>> into memref<2x2x4xf32, strided<[32, 16, 1], offset: 4>>
    %4 = memref.expand_shape %c [[0, 1, 2]] output_shape [2, 2, 4] : memref<16xf32> into memref<2x2x4xf32>
    linalg.exp ins(%3 : memref<2x2x4xf32, strided<[32, 16, 1], offset: 4>>) outs(%4 : memref<2x2x4xf32>)
    device.yield
  }
  device.report @first : tensor<4x4xf32>
  device.report @second : tensor<4x4xf32>
}

// Many copies in a row are several kernels; the last ones go along with what follows them.
// CHECK-LABEL: device.module @copies
// CHECK: device.loop
// CHECK: call @plumb_kernel_0(
// CHECK-NEXT: call @plumb_kernel_1(
// CHECK-NEXT: device.yield
// CHECK: func.func private @plumb_kernel_0(
// CHECK-COUNT-64: linalg.copy
// CHECK-NEXT: return
// CHECK: func.func private @plumb_kernel_1(
// CHECK-COUNT-2: linalg.copy
// CHECK-NEXT: linalg.generic
device.module @copies attributes {arena_bytes = 768 : i64} {
  device.loop @train {mode = "train"} {
    %a = device.arena.view offset 0 : memref<64xf32>
    %b = device.arena.view offset 256 : memref<64xf32>
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
    device.yield
  }
}
