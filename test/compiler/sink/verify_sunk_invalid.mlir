// RUN: plumb-opt %s --plumb-verify-sunk --split-input-file --verify-diagnostics

device.module @m {
  device.loop @train {mode = "train"} {
    // expected-error @+1 {{is left in a loop: a device cannot do it by itself}}
    %c = func.constant @f : () -> ()
    device.yield
  }
}
func.func private @f()

// -----

// expected-error @+1 {{is left beside the device module}}
func.func @f() {
  return
}
