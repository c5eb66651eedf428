// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// reshape_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot reshape 'tensor<2x3xf32>' of 6 elements to [4, -1]}}
  %0 = net.reshape %x to [4, -1] : (tensor<2x3xf32>) -> tensor<4x1xf32>
  return
}

// -----

// reshape_c2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot reshape 'tensor<2x3xf32>' to [-1, -1]: at most one extent may be -1, none less}}
  %0 = net.reshape %x to [-1, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// squeeze_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot squeeze axis 0 of 'tensor<2x3xf32>': its extent is 2, not 1}}
  %0 = net.squeeze %x at [0] : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

// transpose_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot transpose 'tensor<2x3xf32>' by [0, 0]: it must name each of the 2 axes once}}
  %0 = net.transpose %x perm [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// broadcast_to_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot broadcast 'tensor<2x3xf32>' to [4, 3]}}
  %0 = net.broadcast_to %x to [4, 3] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// slice_c1
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot slice 'tensor<4xf32>' from [0, 0] to [1] by []: the lists differ in length or are too long}}
  %0 = net.slice %x from [0, 0] to [1] by [] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

// slice_c2
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot slice 'tensor<4xf32>' by [-1]: strides must be positive}}
  %0 = net.slice %x from [3] to [0] by [-1] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// concat_c1
func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot concatenate 'tensor<2x3xf32>' and 'tensor<2x4xf32>' along axis 0}}
  %0 = net.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

// split_c1
func.func @f(%x: tensor<5xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot split axis 0 of 'tensor<5xf32>' into 2 equal parts}}
  %0:2 = net.split %x axis 0 into 2 : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

// pad_c1
func.func @f(%x: tensor<5xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot pad 'tensor<5xf32>' low [-1] high [0]: one count of at least 0 is needed per axis}}
  %0 = net.pad %x low [-1] high [0] value 0.0 : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

// tile_c1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot tile 'tensor<2x3xf32>' by [2]: one multiple of at least 1 is needed per axis}}
  %0 = net.tile %x by [2] : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

// slice_update_c1
func.func @update_outside(%u: tensor<2xf32>, %x: tensor<4xf32>) {
  // expected-error @+2 {{cannot put 'tensor<2xf32>' into 'tensor<4xf32>' from [3] by [1]}}
  // expected-error @+1 {{'net.slice_update' op failed to infer returned types}}
  %0 = net.slice_update %u into %x from [3] by [1] : (tensor<2xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// row_c1
func.func @no_rows(%x: tensor<f32>, %i: index) {
  // expected-error @+2 {{'tensor<f32>' has no rows along axis 0}}
  // expected-error @+1 {{'net.row' op failed to infer returned types}}
  %0 = net.row %x[%i] : (tensor<f32>, index) -> tensor<f32>
  return
}

// -----

// row_c1
func.func @no_columns(%x: tensor<3xf32>, %i: index) {
  // expected-error @+2 {{'tensor<3xf32>' has no rows along axis 1}}
  // expected-error @+1 {{'net.row' op failed to infer returned types}}
  %0 = net.row %x[%i] {axis = 1 : i64} : (tensor<3xf32>, index) -> tensor<3xf32>
  return
}

// -----

// row_update_c1
func.func @other_row(%r: tensor<3xf32>, %x: tensor<4x2xf32>, %i: index) {
  // expected-error @+2 {{'tensor<3xf32>' is no row of 'tensor<4x2xf32>' along axis 0}}
  // expected-error @+1 {{'net.row_update' op failed to infer returned types}}
  %0 = net.row_update %r into %x[%i] : (tensor<3xf32>, tensor<4x2xf32>, index) -> tensor<4x2xf32>
  return
}

// -----

// row_update_c1
func.func @other_column(%r: tensor<2xf32>, %x: tensor<4x2xf32>, %i: index) {
  // expected-error @+2 {{'tensor<2xf32>' is no row of 'tensor<4x2xf32>' along axis 1}}
  // expected-error @+1 {{'net.row_update' op failed to infer returned types}}
  %0 = net.row_update %r into %x[%i] {axis = 1 : i64} : (tensor<2xf32>, tensor<4x2xf32>, index) -> tensor<4x2xf32>
  return
}
