// RUN: plumb-opt %s --plumb-verify-inlined --verify-diagnostics

// expected-note @+1 {{'plain' is not marked no_inline}}
func.func private @plain(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @step(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{is left after inlining}}
  %0 = call @plain(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
