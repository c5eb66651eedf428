// RUN: plumb-opt %s --plumb-verify-sunk | FileCheck %s

// CHECK-LABEL: device.module @m
device.module @m {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.loop @train {mode = "train"} {
    %w = device.read @w : tensor<4xf32>
    %s = net.add %w, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    device.write @w, %s : tensor<4xf32>
    device.yield
  }
}
