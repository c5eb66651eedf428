// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @tan_of_ints(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or complex values, but got 'tensor<4xi32>'}}
  %0 = net.tan %x : tensor<4xi32>
  return
}

// -----

func.func @polygamma_order(%x: tensor<4xf32>) {
  // polygamma_c1
  // expected-error @+1 {{needs an order from 0 to 32, but has -1}}
  %0 = net.polygamma %x order -1 : tensor<4xf32>
  return
}

// -----

func.func @atan2_shapes(%y: tensor<4xf32>, %x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{shapes do not broadcast: 'tensor<4xf32>' and 'tensor<3xf32>' have extents 4 and 3 on one axis}}
  %0 = net.atan2 %y, %x : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}
