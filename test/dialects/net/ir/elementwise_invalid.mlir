// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @exp_of_ints(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or complex values, but got 'tensor<4xi32>'}}
  %0 = net.exp %x : tensor<4xi32>
  return
}

// -----

func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{shapes do not broadcast: 'tensor<4xf32>' and 'tensor<3xf32>' have extents 4 and 3 on one axis}}
  %0 = net.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @bitcast_widths(%x: tensor<4xf32>) {
  // bitcast_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot read the bits of 'tensor<4xf32>' as 'i16': both need the same number of bits, more than one}}
  %0 = net.bitcast %x to i16 : (tensor<4xf32>) -> tensor<4xi16>
  return
}
