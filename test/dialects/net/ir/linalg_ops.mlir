// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Linear algebra: syntax survives printing and parsing.

// CHECK-LABEL: func.func @cholesky(
func.func @cholesky(%x: tensor<3x3xf32>) {
  // CHECK: net.cholesky %{{.*}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %l = net.cholesky %x : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// CHECK-LABEL: func.func @lu(
func.func @lu(%x: tensor<3x4xf32>) {
  // CHECK: net.lu %{{.*}} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xi32>)
  %lu, %rows = net.lu %x : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xi32>)
  return
}

// CHECK-LABEL: func.func @qr(
func.func @qr(%x: tensor<4x3xf32>) {
  // CHECK: net.qr %{{.*}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>)
  %q, %r = net.qr %x : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x3xf32>)
  return
}

// CHECK-LABEL: func.func @eigh(
func.func @eigh(%x: tensor<3x3xf32>) {
  // CHECK: net.eigh %{{.*}} : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3x3xf32>)
  %w, %v = net.eigh %x : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3x3xf32>)
  return
}

// CHECK-LABEL: func.func @triangular_solve(
func.func @triangular_solve(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // CHECK: net.triangular_solve %{{.*}}, %{{.*}} {transpose = true} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %x = net.triangular_solve %a, %b {transpose = true} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @geqrf(
func.func @geqrf(%x: tensor<4x3xf32>) {
  // CHECK: net.geqrf %{{.*}} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  %factors, %tau = net.geqrf %x : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @svd(
func.func @svd(%x: tensor<4x3xf32>) {
  // CHECK: net.svd %{{.*}} : (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>)
  %s, %u, %v = net.svd %x : (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>)
  return
}
