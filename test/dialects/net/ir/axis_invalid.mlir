// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @cumsum_axis(%x: tensor<2x3xf32>) {
  // cumsum_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis 2}}
  %0 = net.cumsum %x axis 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sort_axis(%x: tensor<2x3xf32>) {
  // sort_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis -3}}
  %0, %1 = net.sort %x axis -3 : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return
}

// -----

func.func @recurrence_types(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // linear_recurrence_c2
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{a and b differ in type: 'tensor<2x3xf32>' and 'tensor<3xf32>'}}
  %0 = net.linear_recurrence %a, %b axis 1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sort_positions(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<3xf32>', 'tensor<3xi32>' are incompatible with return type(s) of operation 'tensor<3xf32>', 'tensor<3xi64>'}}
  %0, %1 = net.sort %x axis 0 : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi64>)
  return
}
