// The stage alone: a lowered loop in, the LLVM dialect of its function out.
// RUN: plumb-opt %s --plumb-codegen | FileCheck %s

// CHECK: device.entry @train symbol("plumb_loop_train")
// CHECK: llvm.func @plumb_loop_train(
// CHECK: fmuladd
// CHECK-NOT: linalg.
// CHECK-NOT: memref<
// CHECK-NOT: vector.
device.module @net target("x86-64-v3") attributes {arena_bytes = 0 : i64, variables_bytes = 64 : i64} {
  device.variable @w : tensor<8xf32> = dense<0.0> : tensor<8xf32> {offset = 0 : i64}
  device.queue @train columns ["x"] (tensor<8xf32>) depth(4) {offsets = array<i64: 0>, slot_bytes = 64 : i64}
  device.report @sum : tensor<8xf32> {offset = 64 : i64}
  device.loop @train {mode = "train", record_bytes = 128 : i64} {
    %x = device.get_next @train : memref<8xf32>
    %w = device.variable.view @w : memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : memref<8xf32>) outs(%w : memref<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %square = arith.mulf %a, %a : f32
      %sum = arith.addf %square, %b : f32
      linalg.yield %sum : f32
    }
    device.emit @sum, %w : memref<8xf32>
    device.yield
  }
}
