// RUN: plumb-opt %s --plumb-convert-net-to-device --split-input-file | FileCheck %s

// CHECK-LABEL: device.module @train {
// CHECK-NEXT: device.variable @w : tensor<4xf32> = #device.init<"normal", [1.000000e-02], stream = 3> {trainable = true}
// CHECK-NEXT: device.variable @moving : tensor<4xf32> = dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT: device.variable @frozen.late : tensor<2xf32> = {{.*}} {trainable = true}
net.parameter @w : tensor<4xf32> = #net.init<"normal", [1.0e-2], stream = 3>
net.parameter @moving : tensor<4xf32> = dense<0.0> : tensor<4xf32> {requires_grad = false}
net.parameter @frozen.late : tensor<2xf32> = #net.init<"one", [], stream = 4>
// A parameter that nothing uses and nothing trains is no state of the device.
net.parameter @unused : tensor<4xf32> = dense<0.0> : tensor<4xf32> {requires_grad = false}

net.entry @train calls @step (tensor<4xf32>, tensor<4xi32>) {mode = "train", queue = "train", columns = ["x", "y"], depth = 8 : i64, pipeline = "{}", sink_size = 100 : i64, epochs = 3 : i64, reports = ["loss"]}
net.entry @eval calls @infer (tensor<4xf32>) {mode = "eval", queue = "train", reports = ["loss"]}
net.entry @noise calls @generate () {mode = "predict"}

// CHECK: device.queue @train columns ["x", "y"] (tensor<4xf32>, tensor<4xi32>) depth(8) {pipeline = "{}"}
// CHECK: device.report @loss : tensor<4xf32>
// CHECK: device.report @output1 : tensor<4xi32>
// CHECK: device.loop @train {epochs = 3 : i64, mode = "train", sink_size = 100 : i64} {
// CHECK:   %[[B:.*]]:2 = device.get_next @train : tensor<4xf32>, tensor<4xi32>
// CHECK:   %[[W:.*]] = device.read @w : tensor<4xf32>
// CHECK:   device.write @w, %[[B]]#0 : tensor<4xf32>
// CHECK:   device.emit @loss, %[[W]] : tensor<4xf32>
// CHECK:   device.emit @output1, %[[B]]#1 : tensor<4xi32>
// CHECK:   device.yield
func.func @step(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %w = net.read @w : tensor<4xf32>
  net.assign @w, %x : tensor<4xf32>
  return %w, %y : tensor<4xf32>, tensor<4xi32>
}

// Names that are taken get the loop's in front.
// CHECK: device.queue @eval.train columns ["arg0"] (tensor<4xf32>) depth(16)
// CHECK: device.report @eval.loss : tensor<4xf32>
// CHECK: device.loop @eval {mode = "eval"} {
// CHECK:   device.read @moving
func.func @infer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %m = net.read @moving : tensor<4xf32>
  return %m : tensor<4xf32>
}

// Without inputs there is no queue.
// CHECK: device.report @output : tensor<4xf32>
// CHECK-NOT: device.report
// CHECK: device.loop @noise {mode = "predict"} {
// CHECK-NOT: device.get_next
// CHECK:   device.print ["noise ", "\0A"](%{{.*}}) as (tensor<4xf32>) : tensor<4xf32>
func.func @generate() -> tensor<4xf32> {
  %w = net.read @w : tensor<4xf32>
  net.print "noise {}"(%w) : tensor<4xf32>
  return %w : tensor<4xf32>
}
// CHECK-NOT: net.

// -----

// The program's own seed goes along.
// CHECK: module {
// CHECK: device.module @seeded attributes {device.seed = 7 : i64}
module attributes {net.seed = 7 : i64} {
  net.entry @seeded calls @seeded.step () {mode = "eval"}
  func.func @seeded.step() {
    return
  }
}

// -----

// Where nothing is said, sixteen small batches wait, and four large ones.
// CHECK: device.queue @small {{.*}} depth(16)
// CHECK: device.queue @large {{.*}} depth(4)
module {
  net.entry @small calls @step.small (tensor<32x32xf32>) {mode = "predict"}
  net.entry @large calls @step.large (tensor<128x3x64x64xf32>) {mode = "predict"}
  func.func @step.small(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
    return %x : tensor<32x32xf32>
  }
  func.func @step.large(%x: tensor<128x3x64x64xf32>) -> tensor<128x3x64x64xf32> {
    return %x : tensor<128x3x64x64xf32>
  }
}

// -----

// A print stays in its branch or loop, where it prints each time.
// CHECK-LABEL: device.module @branches
// CHECK: device.loop @branches
// CHECK:   scf.if
// CHECK:     scf.while
// CHECK:       device.print ["{ x ", " }\0A"](%{{.*}}) as (tensor<f32>) : tensor<f32>
// CHECK:   device.print ["done\0A"]() as ()
// CHECK:   device.emit @y
net.entry @branches calls @talk (tensor<f32>) {mode = "predict", reports = ["y"]}
func.func @talk(%x: tensor<f32>) -> tensor<f32> {
  %c = arith.constant true
  %y = scf.if %c -> (tensor<f32>) {
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      net.print "{{ x {} }}"(%x) : tensor<f32>
      scf.yield
    }
    scf.yield %x : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  net.print "done"()
  return %y : tensor<f32>
}
