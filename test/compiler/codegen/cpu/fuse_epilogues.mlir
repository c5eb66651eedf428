// RUN: plumb-opt %s --plumb-fuse-epilogues --split-input-file | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#turn = affine_map<(m, n) -> (n, m)>

// Bias and ReLU in place: marked; the product's buffer is needed afterwards, so
// nothing is transient.
// CHECK-LABEL: func.func @bias(
// CHECK-NOT: device.
// CHECK: addf
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<8x16xf32>, memref<16xf32>) {{.*}} attrs = {kernel.epilogue}
func.func @bias(%x: memref<8x4xf32> {llvm.noalias}, %w: memref<4x16xf32> {llvm.noalias}, %b: memref<16xf32> {llvm.noalias}, %y: memref<8x16xf32> {llvm.noalias}) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<8x16xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8x4xf32>, memref<4x16xf32>) outs(%y : memref<8x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %b : memref<8x16xf32>, memref<16xf32>) outs(%y : memref<8x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %r = arith.maximumf %s, %z : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#line = affine_map<(i) -> (i)>

// An update through another shape: the gradient, which nothing else reads, is
// transient.
// CHECK-LABEL: func.func @update(
// CHECK: linalg.generic {{.*}}"reduction"]} ins({{.*}}attrs = {kernel.transient}
// CHECK: linalg.generic {{.*}}attrs = {kernel.epilogue}
// CHECK-NOT: device.
func.func @update(%x: memref<8x4xf32> {llvm.noalias}, %d: memref<4x16xf32> {llvm.noalias}, %w: memref<128xf32> {llvm.noalias}) {
  %z = arith.constant 0.0 : f32
  %g = memref.alloc() : memref<8x16xf32>
  linalg.fill ins(%z : f32) outs(%g : memref<8x16xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %d : memref<8x4xf32>, memref<4x16xf32>) outs(%g : memref<8x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  %flat = memref.collapse_shape %g [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel"]} ins(%w, %flat : memref<128xf32>, memref<128xf32>) outs(%w : memref<128xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.subf %i, %j : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#turn = affine_map<(m, n) -> (n, m)>

// Not fused: the result goes where the product still reads; where the turned
// result is read; the place is not known to be apart.
// CHECK-LABEL: func.func @overwritten(
// CHECK-NOT: kernel.epilogue
func.func @overwritten(%x: memref<8x8xf32> {llvm.noalias}, %w: memref<8x8xf32> {llvm.noalias}, %y: memref<8x8xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%x : memref<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @turned(
// CHECK-NOT: kernel.epilogue
func.func @turned(%x: memref<8x8xf32> {llvm.noalias}, %w: memref<8x8xf32> {llvm.noalias}, %y: memref<8x8xf32> {llvm.noalias}, %r: memref<8x8xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #turn, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%r : memref<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @unknown(
// CHECK-NOT: kernel.epilogue
func.func @unknown(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<8x8xf32>, %r: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<8x8xf32>) outs(%r : memref<8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %i : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Places in the arena: %y dies here, but %t, which a later operation reads,
// must be stored; %o shares bytes with the product's input.
// CHECK-LABEL: device.loop @train
// CHECK: linalg.generic {{.*}}"reduction"]} {{.*}}attrs = {kernel.transient}
// CHECK: linalg.generic {{.*}}attrs = {kernel.epilogue}
// CHECK: linalg.generic
// CHECK-NOT: kernel.epilogue
// CHECK: device.yield
device.module @m {
  device.report @r : tensor<8x8xf32>
  device.loop @train {mode = "train"} {
    %x = device.arena.view offset 0 : memref<8x8xf32>
    %w = device.arena.view offset 256 : memref<8x8xf32>
    %y = device.arena.view offset 512 : memref<8x8xf32>
    %t = device.arena.view offset 768 : memref<8x8xf32>
    %o = device.arena.view offset 128 : memref<8x8xf32>
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
    ^bb0(%i: f32, %j: f32, %u: f32):
      %m = arith.mulf %i, %j : f32
      %s = arith.addf %u, %m : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<8x8xf32>) outs(%t : memref<8x8xf32>) {
    ^bb0(%i: f32, %u: f32):
      %s = arith.addf %i, %i : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : memref<8x8xf32>) outs(%o : memref<8x8xf32>) {
    ^bb0(%i: f32, %u: f32):
      %s = arith.addf %i, %i : f32
      linalg.yield %s : f32
    }
    device.emit @r, %o : memref<8x8xf32>
    device.yield
  }
}

// -----

#x = affine_map<(n, w, o, j, c) -> (n, w + j, c)>
#k = affine_map<(n, w, o, j, c) -> (j, c, o)>
#y = affine_map<(n, w, o, j, c) -> (n, w, o)>
#id = affine_map<(n, w, o) -> (n, w, o)>
#row = affine_map<(n, w, o) -> (n, o)>
#all = affine_map<(n, o) -> (n, o)>
#sum = affine_map<(n, o) -> (o)>

// Sums of each image, a channel each, are folded; the sum of those is not, as it goes over what threads share.
// CHECK-LABEL: func.func @sums(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]} {{.*}} attrs = {kernel.epilogue}
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]}
// CHECK-NOT: device.
func.func @sums(%x: memref<4x34x8xf32> {llvm.noalias}, %k: memref<3x8x16xf32> {llvm.noalias}, %y: memref<4x32x16xf32> {llvm.noalias}, %p: memref<4x16xf32> {llvm.noalias}, %s: memref<16xf32> {llvm.noalias}) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%p : memref<4x16xf32>)
  linalg.fill ins(%z : f32) outs(%y : memref<4x32x16xf32>)
  linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %k : memref<4x34x8xf32>, memref<3x8x16xf32>) outs(%y : memref<4x32x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.mulf %i, %j : f32
    %s0 = arith.addf %o, %m : f32
    linalg.yield %s0 : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%y : memref<4x32x16xf32>) outs(%p : memref<4x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%z : f32) outs(%s : memref<16xf32>)
  linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["reduction", "parallel"]} ins(%p : memref<4x16xf32>) outs(%s : memref<16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  return
}
