// RUN: plumb-opt %s --plumb-elide-state-tokens --verify-diagnostics

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

func.func @step(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{is left in the step; only inlined programs can be sunk}}
  %y = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
