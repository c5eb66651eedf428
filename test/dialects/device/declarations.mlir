// Declarations of a device module round-trip, with and without the memory plan.
// RUN: plumb-opt %s | plumb-opt | FileCheck %s

// CHECK-LABEL: device.module @lenet target("x86-64-v4")
device.module @lenet target("x86-64-v4") {
  // CHECK: device.variable @conv1.weight : tensor<6x1x5x5xf32> = #device.init<"truncated_normal", [2.000000e-02], stream = 3> {trainable = true}
  device.variable @conv1.weight : tensor<6x1x5x5xf32> = #device.init<"truncated_normal", [2.0e-2], stream = 3> {trainable = true}
  // CHECK: device.variable @bias : tensor<10xf32> = #device.init<"zero", []>
  device.variable @bias : tensor<10xf32> = #device.init<"zero", []>
  // CHECK: device.variable @step : tensor<i32> = dense<0> : tensor<i32>
  device.variable @step : tensor<i32> = dense<0> : tensor<i32>
  // CHECK: device.queue @train columns ["image", "label"] (tensor<32x1x32x32xf32>, tensor<32xi32>) depth(16) {pipeline = "{}"}
  device.queue @train columns ["image", "label"] (tensor<32x1x32x32xf32>, tensor<32xi32>) depth(16) {pipeline = "{}"}
  // CHECK: device.report @loss : tensor<f32>
  device.report @loss : tensor<f32>
}

// CHECK-LABEL: device.module @planned attributes {arena_buffers = [#device.buffer<"x", offset = 0, bytes = 4096, first = 1, last = 7>], arena_bytes = 4096 : i64, arena_lower_bound = 4096 : i64, variables_bytes = 64 : i64}
device.module @planned attributes {
    arena_buffers = [#device.buffer<"x", offset = 0, bytes = 4096, first = 1, last = 7>],
    arena_bytes = 4096 : i64, arena_lower_bound = 4096 : i64, variables_bytes = 64 : i64} {
  // CHECK: device.variable @w {{.*}} {offset = 0 : i64}
  device.variable @w : tensor<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> {offset = 0 : i64}
  // CHECK: device.queue @train {{.*}} {offsets = array<i64: 0>, slot_bytes = 64 : i64}
  device.queue @train columns ["x"] (tensor<4xf32>) depth(2) {offsets = array<i64: 0>, slot_bytes = 64 : i64}
  // CHECK: device.report @loss : tensor<f32> {offset = 8 : i64}
  device.report @loss : tensor<f32> {offset = 8 : i64}
  // CHECK: device.entry @train symbol("plumb_loop_train") {mode = "train", queue = @train, record_bytes = 16 : i64, reports = [@loss]}
  device.entry @train symbol("plumb_loop_train") {mode = "train", queue = @train, reports = [@loss], record_bytes = 16 : i64}
  // CHECK: device.entry @chat
  // CHECK-SAME: print_bytes = 32 : i64, prints = [#device.print<["x ", "\0A"], types = [tensor<4xf32>], offsets = [16]>]
  device.entry @chat symbol("plumb_loop_chat") {mode = "train", reports = [], print_bytes = 32 : i64,
    prints = [#device.print<["x ", "\0A"], types = [tensor<4xf32>], offsets = [16]>]}
}
