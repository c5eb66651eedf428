// RUN: plumb-opt %s --plumb-verify-optimized --split-input-file --verify-diagnostics

// expected-note @+1 {{the entry is declared here}}
net.entry @train calls @step (tensor<f32>) {mode = "train"}

func.func private @kept(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{is left in an entry after optimize}}
  %0 = call @kept(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error @+1 {{starts @nowhere, which is no function with a body}}
net.entry @train calls @nowhere (tensor<f32>) {mode = "train"}

// -----

// expected-error @+1 {{feeds a batch of other types than its function takes}}
net.entry @train calls @step (tensor<2xf32>) {mode = "train"}

// expected-note @+1 {{the function takes 'tensor<f32>'}}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
