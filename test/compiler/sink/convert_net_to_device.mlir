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

// Without inputs there is no queue; a print is a report that knows its text.
// CHECK: device.report @output : tensor<4xf32>
// CHECK: device.report @print : tensor<4xf32> {device.after = "\0A", format = "noise "}
// CHECK: device.loop @noise {mode = "predict"} {
// CHECK-NOT: device.get_next
// CHECK:   device.emit @print
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

// A print in branches is lifted out of them, with whether it happened; text alone is a boolean.
// CHECK-LABEL: device.module @branches
// CHECK: device.report @print.when : tensor<i1> {device.when = @print.when, format = ""}
// CHECK: device.report @print : tensor<f32> {device.after = " }\0A", device.when = @print.when, format = "{ x "}
// CHECK: device.report @branches.print.when : tensor<i1> {device.when = @branches.print.when, format = "done\0A"}
// CHECK: device.loop @branches
// CHECK:   %[[O:.*]]:3 = scf.if %{{.*}} -> (tensor<f32>, tensor<f32>, tensor<i1>) {
// CHECK:     %[[I:.*]]:2 = scf.if %{{.*}} -> (tensor<f32>, tensor<i1>) {
// CHECK:       %[[T:.*]] = net.constant dense<true>
// CHECK:       scf.yield %{{.*}}, %[[T]]
// CHECK:     } else {
// CHECK:       net.constant dense<0.0
// CHECK:       net.constant dense<false>
// CHECK:     scf.yield %{{.*}}, %[[I]]#0, %[[I]]#1
// CHECK:   } else {
// CHECK:     scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>, tensor<i1>
// CHECK:   device.emit @print.when, %[[O]]#2
// CHECK:   device.emit @print, %[[O]]#1
// CHECK:   device.emit @y, %[[O]]#0
// CHECK:   device.emit @branches.print.when
net.entry @branches calls @talk (tensor<f32>) {mode = "predict", reports = ["y"]}
func.func @talk(%x: tensor<f32>) -> tensor<f32> {
  %c = arith.constant true
  %y = scf.if %c -> (tensor<f32>) {
    scf.if %c {
      net.print "{{ x {} }}"(%x) : tensor<f32>
    }
    scf.yield %x : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  net.print "done"()
  return %y : tensor<f32>
}
