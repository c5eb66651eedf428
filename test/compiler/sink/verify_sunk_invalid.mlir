// RUN: plumb-opt %s --plumb-verify-sunk --split-input-file --verify-diagnostics

device.module @m {
  device.loop @train {mode = "train"} {
    %c = arith.constant true
    // expected-error @+1 {{is left in a loop: a device cannot do it by itself}}
    cf.assert %c, "host"
    device.yield
  }
}

// -----

device.module @m {
  device.loop @train {mode = "train"} {
    // expected-error @+1 {{is left in a loop: state on the device is a device.variable or a device.report}}
    net.print "x"()
    device.yield
  }
}

// -----

// expected-error @+1 {{is left beside the device module}}
func.func @f() {
  return
}
