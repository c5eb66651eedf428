// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Elementwise ops of one tensor, cast and select: syntax survives printing and parsing.

// CHECK-LABEL: func.func @neg(
func.func @neg(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.neg %{{.*}} : tensor<4xf32>
  %y = net.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @abs(
func.func @abs(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.abs %{{.*}} : tensor<4xf32>
  %y = net.abs %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @exp(
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.exp %{{.*}} : tensor<4xf32>
  %y = net.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log(
func.func @log(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.log %{{.*}} : tensor<4xf32>
  %y = net.log %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sqrt(
func.func @sqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.sqrt %{{.*}} : tensor<4xf32>
  %y = net.sqrt %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @rsqrt(
func.func @rsqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.rsqrt %{{.*}} : tensor<4xf32>
  %y = net.rsqrt %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @square(
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.square %{{.*}} : tensor<4xf32>
  %y = net.square %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @reciprocal(
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.reciprocal %{{.*}} : tensor<4xf32>
  %y = net.reciprocal %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sin(
func.func @sin(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.sin %{{.*}} : tensor<4xf32>
  %y = net.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @cos(
func.func @cos(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.cos %{{.*}} : tensor<4xf32>
  %y = net.cos %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @tanh(
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.tanh %{{.*}} : tensor<4xf32>
  %y = net.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sigmoid(
func.func @sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.sigmoid %{{.*}} : tensor<4xf32>
  %y = net.sigmoid %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu(
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.relu %{{.*}} : tensor<4xf32>
  %y = net.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @relu6(
func.func @relu6(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.relu6 %{{.*}} : tensor<4xf32>
  %y = net.relu6 %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu(
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.gelu %{{.*}} : tensor<4xf32>
  %y = net.gelu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @erf(
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.erf %{{.*}} : tensor<4xf32>
  %y = net.erf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @floor(
func.func @floor(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.floor %{{.*}} : tensor<4xf32>
  %y = net.floor %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @ceil(
func.func @ceil(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.ceil %{{.*}} : tensor<4xf32>
  %y = net.ceil %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sign(
func.func @sign(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.sign %{{.*}} : tensor<4xf32>
  %y = net.sign %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @logical_not(
func.func @logical_not(%x: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK: net.logical_not %{{.*}} : tensor<4xi1>
  %y = net.logical_not %x : tensor<4xi1>
  return %y : tensor<4xi1>
}

// CHECK-LABEL: func.func @cast(
func.func @cast(%x: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: net.cast %{{.*}} to f32 : (tensor<4xi32>) -> tensor<4xf32>
  %y = net.cast %x to f32 : (tensor<4xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @select(
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
  // CHECK: net.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %r = net.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @round(
func.func @round(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.round %{{.*}} : tensor<4xf32>
  %y = net.round %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @trunc(
func.func @trunc(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.trunc %{{.*}} : tensor<4xf32>
  %y = net.trunc %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @is_nan(
func.func @is_nan(%x: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: net.is_nan %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %y = net.is_nan %x : (tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}

// CHECK-LABEL: func.func @is_inf(
func.func @is_inf(%x: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: net.is_inf %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %y = net.is_inf %x : (tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}

// CHECK-LABEL: func.func @is_finite(
func.func @is_finite(%x: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK: net.is_finite %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %y = net.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  return %y : tensor<4xi1>
}

// CHECK-LABEL: func.func @bitcast(
func.func @bitcast(%x: tensor<4xf32>) -> tensor<4xi32> {
  // CHECK: net.bitcast %{{.*}} to i32 : (tensor<4xf32>) -> tensor<4xi32>
  %y = net.bitcast %x to i32 : (tensor<4xf32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
