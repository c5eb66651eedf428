// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @half(%x: tensor<4xf16>) {
  // complex_c1
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of complex values}}
  %z = net.complex %x, %x : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xcomplex<f16>>
  return
}

// -----

func.func @broadcast(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{shapes do not broadcast}}
  %z = net.complex %x, %y : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @real_part_of_real(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of complex values}}
  %y = net.real %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_order(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer values}}
  %y = net.less %x, %x : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @fft_axis(%x: tensor<4xcomplex<f32>>) {
  // fft_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis 1}}
  %y = net.fft %x axes [1] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_empty(%x: tensor<3x0xf32>) {
  // fft_c1
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{the Fourier transform along axis 1 of 'tensor<3x0xf32>' has nothing to add}}
  %y = net.fft %x axes [1] : (tensor<3x0xf32>) -> tensor<3x0xcomplex<f32>>
  return
}

// -----

func.func @fft_long(%x: tensor<4294967296xf32>) {
  // fft_c3
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{needs constants as long as the axis; at most 16777216 elements are possible}}
  %y = net.fft %x axes [0] : (tensor<4294967296xf32>) -> tensor<4294967296xcomplex<f32>>
  return
}

// -----

func.func @fft_half(%x: tensor<4xf16>) {
  // fft_c2
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{the Fourier transform takes a tensor of f32, f64 or complex numbers, not 'tensor<4xf16>'}}
  %y = net.fft %x axes [0] : (tensor<4xf16>) -> tensor<4xcomplex<f32>>
  return
}
