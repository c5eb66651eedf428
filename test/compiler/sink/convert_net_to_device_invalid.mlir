// RUN: plumb-opt %s --plumb-convert-net-to-device --split-input-file --verify-diagnostics

// expected-error @+1 {{the program has no entry: nothing says what to run on the device}}
module {
}

// -----

// expected-error @+1 {{calls @missing, which is no function of the program}}
net.entry @train calls @missing (tensor<4xf32>) {mode = "train"}

// -----

// expected-error @+1 {{has other inputs than its function}}
net.entry @train calls @step (tensor<4xf32>) {mode = "train"}
// expected-note @+1 {{the function takes}}
func.func @step(%x: tensor<5xf32>) {
  return
}

// -----

net.entry @train calls @step (tensor<4xf32>) {mode = "train"}
func.func @step(%x: tensor<4xf32>) {
  %c = arith.constant true
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    // expected-error @+1 {{may print any number of times in a step; print after the loop}}
    net.print "x {}"(%x) : tensor<4xf32>
    scf.yield
  }
  return
}
