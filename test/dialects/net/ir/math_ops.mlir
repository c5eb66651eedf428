// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Mathematical functions: syntax survives printing and parsing.

// CHECK-LABEL: func.func @tan(
func.func @tan(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.tan %{{.*}} : tensor<4xf32>
  %y = net.tan %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @asin(
func.func @asin(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.asin %{{.*}} : tensor<4xf32>
  %y = net.asin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @acos(
func.func @acos(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.acos %{{.*}} : tensor<4xf32>
  %y = net.acos %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @atan(
func.func @atan(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.atan %{{.*}} : tensor<4xf32>
  %y = net.atan %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @sinh(
func.func @sinh(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.sinh %{{.*}} : tensor<4xf32>
  %y = net.sinh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @cosh(
func.func @cosh(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.cosh %{{.*}} : tensor<4xf32>
  %y = net.cosh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @asinh(
func.func @asinh(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.asinh %{{.*}} : tensor<4xf32>
  %y = net.asinh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @acosh(
func.func @acosh(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.acosh %{{.*}} : tensor<4xf32>
  %y = net.acosh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @atanh(
func.func @atanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.atanh %{{.*}} : tensor<4xf32>
  %y = net.atanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @log1p(
func.func @log1p(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.log1p %{{.*}} : tensor<4xf32>
  %y = net.log1p %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @expm1(
func.func @expm1(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.expm1 %{{.*}} : tensor<4xf32>
  %y = net.expm1 %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @erfc(
func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.erfc %{{.*}} : tensor<4xf32>
  %y = net.erfc %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @erfinv(
func.func @erfinv(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.erfinv %{{.*}} : tensor<4xf32>
  %y = net.erfinv %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @lgamma(
func.func @lgamma(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.lgamma %{{.*}} : tensor<4xf32>
  %y = net.lgamma %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @polygamma(
func.func @polygamma(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: net.polygamma %{{.*}} order 1 : tensor<4xf32>
  %y = net.polygamma %x order 1 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @atan2(
func.func @atan2(%y: tensor<2x4xf32>, %x: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.atan2 %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.atan2 %y, %x : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}
