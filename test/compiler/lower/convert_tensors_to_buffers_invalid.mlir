// RUN: plumb-opt %s --plumb-convert-tensors-to-buffers --verify-diagnostics

device.module @m {
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.loop @l {mode = "eval"} {
    %x = device.get_next @q : tensor<4xf32>
    // expected-error @+1 {{has no form on buffers}}
    %y = math.exp %x : tensor<4xf32>
    device.yield
  }
}
