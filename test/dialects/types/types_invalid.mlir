// RUN: plumb-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4xi128>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xi128>'}}
  %0 = net.neg %x : tensor<4xi128>
  return
}

// -----

func.func @f(%x: tensor<4xi7>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xi7>'}}
  %0 = net.neg %x : tensor<4xi7>
  return
}

// -----

func.func @f(%x: tensor<4xsi32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xsi32>'}}
  %0 = net.neg %x : tensor<4xsi32>
  return
}

// -----

func.func @f(%x: tensor<4xui1>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xui1>'}}
  %0 = net.neg %x : tensor<4xui1>
  return
}

// -----

func.func @f(%x: tensor<4xf80>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xf80>'}}
  %0 = net.neg %x : tensor<4xf80>
  return
}

// -----

func.func @f(%x: tensor<4xf8E4M3FN>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xf8E4M3FN>'}}
  %0 = net.neg %x : tensor<4xf8E4M3FN>
  return
}

// -----

func.func @f(%x: tensor<4xindex>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xindex>'}}
  %0 = net.neg %x : tensor<4xindex>
  return
}

// -----

func.func @f(%x: tensor<4xcomplex<f16>>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xcomplex<f16>>'}}
  %0 = net.neg %x : tensor<4xcomplex<f16>>
  return
}

// -----

func.func @f(%x: tensor<4xvector<2xf32>>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of floating-point or signless integer or unsigned integer or complex values, but got 'tensor<4xvector<2xf32>>'}}
  %0 = net.neg %x : tensor<4xvector<2xf32>>
  return
}

// -----

func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of}}
  %0 = net.neg %x : tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32, "encoded">) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of}}
  %0 = net.neg %x : tensor<4xf32, "encoded">
  return
}

// -----

func.func @f(%x: tensor<4294967296x4294967296x4294967296xf32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of}}
  %0 = net.neg %x : tensor<4294967296x4294967296x4294967296xf32>
  return
}

// -----

func.func @f(%x: tensor<0x9223372036854775807xf32>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of}}
  %0 = net.neg %x : tensor<0x9223372036854775807xf32>
  return
}

// -----

func.func @f(%x: tensor<140737488355329xi8>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor of}}
  %0 = net.neg %x : tensor<140737488355329xi8>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.cast %x to i128 : (tensor<4xf32>) -> tensor<4xi128>
  return
}

// -----

func.func @f(%x: tensor<4xi32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.one_hot %x depth 3 on 1.0 off 0.0 as index : (tensor<4xi32>) -> tensor<4x3xindex>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.fill i7 [4] value 0.0 : tensor<4xi7>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.iota [4] axis 0 of f80 : tensor<4xf80>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.eye 2 by 2 of complex<f16> : tensor<2x2xcomplex<f16>>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.fill f32 [4294967296, 4294967296] value 0.0 : tensor<4294967296x4294967296xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.iota [4611686018427387904, 4] axis 0 of i32 : tensor<4611686018427387904x4xi32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.broadcast_to %x to [140737488355328, 4] : (tensor<4xf32>) -> tensor<140737488355328x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.tile %x by [4611686018427387905] : (tensor<4xf32>) -> tensor<9223372036854775807xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.pad %x low [9223372036854775807] high [1] value 0.0 : (tensor<4xf32>) -> tensor<9223372036854775807xf32>
  return
}

// -----

func.func @f(%x: tensor<35184372088832xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.concat %x, %x, %x axis 0 : (tensor<35184372088832xf32>, tensor<35184372088832xf32>, tensor<35184372088832xf32>) -> tensor<105553116266496xf32>
  return
}

// -----

func.func @f(%x: tensor<35184372088832xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.stack %x, %x axis 0 : (tensor<35184372088832xf32>, tensor<35184372088832xf32>) -> tensor<2x35184372088832xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.one_hot %x depth 140737488355328 on 1.0 off 0.0 as f32 : (tensor<4xi32>) -> tensor<4x140737488355328xf32>
  return
}

// -----

func.func @f(%x: tensor<8388608x2xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.matmul %x, %x {transpose_b = true} : (tensor<8388608x2xf32>, tensor<8388608x2xf32>) -> tensor<8388608x8388608xf32>
  return
}

// -----

func.func @f(%x: tensor<67108864x1xf32>, %y: tensor<67108864xf32>) {
  // expected-error @+1 {{result #0 must be addressable, statically shaped tensor of}}
  %0 = net.add %x, %y : (tensor<67108864x1xf32>, tensor<67108864xf32>) -> tensor<67108864x67108864xf32>
  return
}

// -----

// What saturates is no extent either.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot reshape 'tensor<4xf32>' of 4 elements to [6148914691236517208, 6]}}
  %0 = net.reshape %x to [6148914691236517208, 6] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x2x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{conv2d: the padded image of shape (1, 1, 1099511627780, 1099511627780) takes more than the 128 TiB that a processor can address}}
  %0 = net.conv2d %x, %w stride [1099511627776, 1099511627776] pad [0, 1099511627776, 0, 1099511627776] dilation [1, 1] group 1 : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return
}

// -----

func.func @f(%x: tensor<0x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{cannot split 'tensor<0x4xf32>' into 1000000000000 parts: an operation has at most 65536}}
  %0 = net.split %x axis 0 into 1000000000000 : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4294967296xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{positions along an axis of 4294967296 elements are no 32-bit integers}}
  %0 = net.argmax %x axis 0 : (tensor<4294967296xf32>) -> tensor<i32>
  return
}

// -----

func.func @f(%i: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{indices of an axis of 4294967296 need 64 bits, but are 'tensor<2xi32>'}}
  %0 = net.from_front %i extent 4294967296 : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// expected-error @+1 {{type attribute of statically shaped tensor}}
net.parameter @w : tensor<4xi128> = #net.init<"zero", [], stream = 0>

// -----

// expected-error @+1 {{input of shape (1073741824, 1073741824) takes more than the 128 TiB that a processor can address}}
net.entry @train calls @step (tensor<1073741824x1073741824xf32>) {mode = "train"}

// -----

func.func @f(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{operand #0 must be addressable, statically shaped tensor}}
  check.expect_eq %x, %x : tensor<4xcomplex<f32>>
  return
}
