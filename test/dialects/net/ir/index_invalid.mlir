// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// gather_c1
func.func @f(%x: tensor<5x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis 2 is out of range for 'tensor<5x3xf32>' of 2 axes}}
  %0 = net.gather %x, %i axis 2 : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<5x3x2xf32>
  return
}

// -----

func.func @f(%i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{one_hot of 'tensor<2xi32>' needs a depth of at least 1 and a number type, but has 0 and 'f32'}}
  %0 = net.one_hot %i depth 0 on 1.0 off 0.0 as f32 : (tensor<2xi32>) -> tensor<2x0xf32>
  return
}

// -----

// from_front_c1
func.func @f(%i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{from_front needs an extent of at least 0, but has -3}}
  %0 = net.from_front %i extent -3 : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// gather_c2
func.func @f(%x: tensor<0x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{nothing lies along axis 0 of 'tensor<0x3xf32>', so no index of 'tensor<2xi32>' names anything}}
  %0 = net.gather %x, %i axis 0 : (tensor<0x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%dy: tensor<2x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{no shape has negative extents: [-5, 3]}}
  %0 = net.gather_grad %dy, %i into [-5, 3] axis 0 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<5x3xf32>
  return
}
