// RUN: plumb-opt %s --plumb-plan-arena=target-cpu=x86-64-v4 --split-input-file | FileCheck %s

// %a and %c are never alive together and share bytes; %b stands apart.
// CHECK: device.module @m attributes {arena_buffers = [
// CHECK-SAME: #device.buffer<"fill {{[^"]*}}", offset = 0, bytes = 128,
// CHECK-SAME: #device.buffer<"copy {{[^"]*}}", offset = 128, bytes = 64,
// CHECK-SAME: arena_bytes = 192 : i64, arena_lower_bound = 192 : i64}
device.module @m {
  device.report @y : tensor<32xf32>
  device.loop @l {mode = "eval"} {
    // CHECK-NOT: memref.alloc
    // CHECK: device.arena.view offset 0 : memref<32xf32>
    // CHECK: device.arena.view offset 128 : memref<16xf32>
    // CHECK: device.arena.view offset 0 : memref<32xf32>
    %a = memref.alloc() : memref<32xf32>
    %b = memref.alloc() : memref<16xf32>
    %c = memref.alloc() : memref<32xf32>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%a : memref<32xf32>)
    // A use through a view is a use.
    %v = memref.subview %a[0] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1]>>
    linalg.copy ins(%v : memref<16xf32, strided<[1]>>) outs(%b : memref<16xf32>)
    linalg.fill ins(%z : f32) outs(%c : memref<32xf32>)
    %w = memref.subview %c[0] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1]>>
    linalg.copy ins(%b : memref<16xf32>) outs(%w : memref<16xf32, strided<[1]>>)
    device.emit @y, %c : memref<32xf32>
    device.yield
  }
}

// -----

// Beside a large buffer, small ones do not take each other's places at once.
// CHECK-LABEL: device.module @beside
device.module @beside {
  device.report @y : tensor<16xf32>
  device.loop @l {mode = "eval"} {
    // CHECK: device.arena.view offset 0 : memref<524288xf32>
    // CHECK: device.arena.view offset 2097152 : memref<16xf32>
    // CHECK: device.arena.view offset 2097216 : memref<16xf32>
    %large = memref.alloc() : memref<524288xf32>
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%large : memref<524288xf32>)
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    %v = memref.subview %large[0] [16] [1] : memref<524288xf32> to memref<16xf32, strided<[1]>>
    linalg.copy ins(%a : memref<16xf32>) outs(%v : memref<16xf32, strided<[1]>>)
    linalg.copy ins(%v : memref<16xf32, strided<[1]>>) outs(%b : memref<16xf32>)
    device.emit @y, %b : memref<16xf32>
    device.yield
  }
}

// -----

// What shares a place lives as far apart as that costs no bytes: %c follows %a at once, and there is room elsewhere.
// CHECK-LABEL: device.module @rests
// CHECK-SAME: arena_bytes = 192 : i64
device.module @rests {
  device.report @y : tensor<48xf32>
  device.loop @l {mode = "eval"} {
    // CHECK: device.arena.view offset 0 : memref<16xf32>
    // CHECK: device.arena.view offset 64 : memref<16xf32>
    // CHECK: device.arena.view offset 128 : memref<16xf32>
    // CHECK: device.arena.view offset 0 : memref<48xf32>
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %c = memref.alloc() : memref<16xf32>
    %late = memref.alloc() : memref<48xf32>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
    linalg.copy ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    linalg.copy ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    %v = device.variable.view @v : memref<16xf32>
    linalg.copy ins(%c : memref<16xf32>) outs(%v : memref<16xf32>)
    linalg.fill ins(%z : f32) outs(%v : memref<16xf32>)
    linalg.fill ins(%z : f32) outs(%late : memref<48xf32>)
    device.emit @y, %late : memref<48xf32>
    device.yield
  }
  device.variable @v : tensor<16xf32> = dense<0.0> : tensor<16xf32>
}
