// The whole stage on one small program.
// RUN: plumb-opt %s --plumb-sink | FileCheck %s

net.parameter @w : tensor<4xf32> = #net.init<"one", [], stream = 0>
net.entry @train calls @step (tensor<4xf32>) {mode = "train", columns = ["x"], reports = ["loss"]}
func.func @step(%x: tensor<4xf32>) -> (tensor<4xf32>, !net.u) {
  %u = net.token : !net.u
  %w, %u1 = net.read @w after %u : tensor<4xf32>
  %s = net.sub %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %u2 = net.assign @w, %s after %u1 : tensor<4xf32>
  return %s, %u2 : tensor<4xf32>, !net.u
}

// CHECK-LABEL: device.module @train
// CHECK: device.loop @train
// CHECK-NEXT: %[[X:.*]] = device.get_next @train : tensor<4xf32>
// CHECK-NEXT: %[[W:.*]] = device.read @w : tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = net.sub %[[W]], %[[X]]
// CHECK-NEXT: device.write @w, %[[S]] : tensor<4xf32>
// CHECK-NEXT: device.emit @loss, %[[S]] : tensor<4xf32>
// CHECK-NEXT: device.yield
