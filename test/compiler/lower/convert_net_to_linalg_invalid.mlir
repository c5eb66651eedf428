// RUN: plumb-opt %s --plumb-convert-net-to-linalg --verify-diagnostics

device.module @m {
  device.loop @train {mode = "train"} {
    // expected-error @+1 {{has no lowering to linalg}}
    net.print "x"()
    device.yield
  }
}
