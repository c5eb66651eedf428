// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis 2 is out of range for 'tensor<2x3xf32>' of 2 axes}}
  %0 = net.reduce_sum %x over [2] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis 1 of 'tensor<2x3xf32>' is named twice}}
  %0 = net.reduce_max %x over [1, -1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
