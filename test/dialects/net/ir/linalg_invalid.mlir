// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @cholesky_square(%x: tensor<2x3xf32>) {
  // cholesky_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cholesky needs square matrices, but has 'tensor<2x3xf32>'}}
  %0 = net.cholesky %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @lu_axes(%x: tensor<3xf32>) {
  // lu_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{lu needs matrices, but has 'tensor<3xf32>'}}
  %0, %1 = net.lu %x : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return
}

// -----

func.func @qr_axes(%x: tensor<3xf32>) {
  // qr_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{qr needs matrices, but has 'tensor<3xf32>'}}
  %0, %1 = net.qr %x : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @geqrf_axes(%x: tensor<3xf32>) {
  // geqrf_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{geqrf needs matrices, but has 'tensor<3xf32>'}}
  %0, %1 = net.geqrf %x : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @svd_axes(%x: tensor<3xf32>) {
  // svd_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{svd needs matrices, but has 'tensor<3xf32>'}}
  %0, %1, %2 = net.svd %x : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @eigh_square(%x: tensor<2x3xf32>) {
  // eigh_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{eigh needs square matrices, but has 'tensor<2x3xf32>'}}
  %0, %1 = net.eigh %x : (tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @solve_rows(%a: tensor<3x3xf32>, %b: tensor<2x2xf32>) {
  // triangular_solve_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{triangular_solve of 'tensor<3x3xf32>' and 'tensor<2x2xf32>': they need as many rows and the same batches}}
  %0 = net.triangular_solve %a, %b : (tensor<3x3xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
