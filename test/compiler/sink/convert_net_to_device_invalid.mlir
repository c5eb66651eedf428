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
