// RUN: plumb-opt %s --plumb-verify-lowered | FileCheck %s

// CHECK: device.module @m
device.module @m attributes {arena_bytes = 64 : i64, variables_bytes = 0 : i64} {
  device.loop @l {mode = "eval", record_bytes = 8 : i64} {
    %a = device.arena.view offset 0 : memref<4xf32>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%a : memref<4xf32>)
    device.yield
  }
}
