// RUN: plumb-opt %s --plumb-convert-device-to-llvm --split-input-file --verify-diagnostics

device.module @net {
  device.variable @w : tensor<8xf32> = dense<0.0> : tensor<8xf32>
  device.loop @train {mode = "train"} {
    // expected-error @below {{views a variable without an offset; run lower}}
    %w = device.variable.view @w : memref<8xf32>
    device.yield
  }
}

// -----

device.module @net {
  device.variable @w : tensor<8xf32> = dense<0.0> : tensor<8xf32>
  device.loop @train {mode = "train"} {
    // expected-error @below {{is left after lower: codegen takes buffers only}}
    %w = device.read @w : tensor<8xf32>
    device.yield
  }
}
