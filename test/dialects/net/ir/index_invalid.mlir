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

func.func @gather_batch(%x: tensor<4x100xf32>, %i: tensor<5x7xi32>) {
  // gather_c2
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'tensor<4x100xf32>' and indices 'tensor<5x7xi32>' have no 1 axes in common before axis 1}}
  %0 = net.gather %x, %i axis 1 {batch = 1 : i64} : (tensor<4x100xf32>, tensor<5x7xi32>) -> tensor<4x7xf32>
  return
}

// -----

// gather_c3
func.func @f(%x: tensor<0x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{nothing lies along axis 0 of 'tensor<0x3xf32>', so no index of 'tensor<2xi32>' names anything}}
  %0 = net.gather %x, %i axis 0 : (tensor<0x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scatter_shapes(%x: tensor<10x8xf32>, %i: tensor<3xi32>, %u: tensor<4x8xf32>) {
  // scatter_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{updates 'tensor<4x8xf32>' at indices 'tensor<3xi32>' do not fit into 'tensor<10x8xf32>' with 0 batch axes}}
  %0 = net.scatter %x, %i, %u mode "add" : (tensor<10x8xf32>, tensor<3xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  return
}

// -----

func.func @f(%dy: tensor<2x3xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{no shape has negative extents: [-5, 3]}}
  %0 = net.gather_grad %dy, %i into [-5, 3] axis 0 : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @scatter_types(%x: tensor<10xf32>, %i: tensor<3xi32>, %u: tensor<3xf64>) {
  // scatter_c2
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element types differ: 'tensor<10xf32>' and 'tensor<3xf64>'}}
  %0 = net.scatter %x, %i, %u mode "add" : (tensor<10xf32>, tensor<3xi32>, tensor<3xf64>) -> tensor<10xf32>
  return
}

// -----

func.func @scatter_mode(%x: tensor<10xf32>, %i: tensor<3xi32>, %u: tensor<3xf32>) {
  // scatter_c3
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{scatter knows the modes update, add, sub, mul, div, max and min, but not "pow"}}
  %0 = net.scatter %x, %i, %u mode "pow" : (tensor<10xf32>, tensor<3xi32>, tensor<3xf32>) -> tensor<10xf32>
  return
}
