// RUN: plumb-opt %s --plumb-assign-offsets | FileCheck %s

// CHECK: device.module @m attributes {variables_bytes = 192 : i64}
device.module @m {
  // CHECK: @a {{.*}} {offset = 0 : i64}
  device.variable @a : tensor<17xf32> = #device.init<"one", []>
  // CHECK: @b {{.*}} {offset = 128 : i64}
  device.variable @b : tensor<i1> = dense<true> : tensor<i1>
  // CHECK: @q {{.*}} {offsets = array<i64: 0, 64>, slot_bytes = 128 : i64}
  device.queue @q columns ["x", "y"] (tensor<3xui8>, tensor<2xi64>) depth(2)
  // CHECK: @flag : tensor<i1> {offset = 8 : i64}
  device.report @flag : tensor<i1>
  // CHECK: @loss : tensor<f64> {offset = 16 : i64}
  device.report @loss : tensor<f64>
  // CHECK: @other : tensor<f32> {offset = 8 : i64}
  device.report @other : tensor<f32>
  // CHECK: device.loop @l {mode = "eval", record_bytes = 24 : i64}
  device.loop @l {mode = "eval"} {
    %f = memref.alloc() : memref<i1>
    %d = memref.alloc() : memref<f64>
    device.emit @flag, %f : memref<i1>
    device.emit @loss, %d : memref<f64>
    device.yield
  }
  // Each loop has a record of its own.
  // CHECK: device.loop @k {mode = "eval", record_bytes = 16 : i64}
  device.loop @k {mode = "eval"} {
    %d = memref.alloc() : memref<f32>
    device.emit @other, %d : memref<f32>
    device.yield
  }
  // A record of prints starts with the step and the print, and has room for the largest.
  // CHECK: device.loop @p {mode = "eval", print_bytes = 40 : i64, record_bytes = 8 : i64}
  device.loop @p {mode = "eval"} {
    %f = memref.alloc() : memref<3xi1>
    %d = memref.alloc() : memref<2xf64>
    %true = arith.constant true
    scf.if %true {
      // CHECK: device.print ["x ", " ", "\0A"](%{{.*}}, %{{.*}}) as (tensor<3xi1>, tensor<2xf64>) {offsets = array<i64: 16, 24>}
      device.print ["x ", " ", "\0A"] (%f, %d) as (tensor<3xi1>, tensor<2xf64>) : memref<3xi1>, memref<2xf64>
    }
    // CHECK: device.print ["end\0A"]() as () {offsets = array<i64>}
    device.print ["end\0A"] () as ()
    device.yield
  }
}
