// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{shapes do not broadcast: 'tensor<2x3xf32>' and 'tensor<4xf32>' have extents 3 and 4 on one axis}}
  %0 = net.add %x, %y : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @result(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  %0 = net.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @element_types(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{requires the same element type for all operands}}
  %0 = net.add %x, %y : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
