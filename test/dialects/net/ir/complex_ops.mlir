// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Complex numbers: syntax survives printing and parsing.

// CHECK-LABEL: func.func @parts(
func.func @parts(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // CHECK: net.complex %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %z = net.complex %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  // CHECK: net.real %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %a = net.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: net.imag %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %b = net.imag %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: net.complex_abs %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %r = net.complex_abs %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: net.angle %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %c = net.angle %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: net.conj %{{.*}} : tensor<4xcomplex<f32>>
  %d = net.conj %z : tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @fft(
func.func @fft(%x: tensor<2x8xf64>) {
  // CHECK: net.fft %{{.*}} axes [1] : (tensor<2x8xf64>) -> tensor<2x8xcomplex<f64>>
  %y = net.fft %x axes [1] : (tensor<2x8xf64>) -> tensor<2x8xcomplex<f64>>
  // CHECK: net.fft %{{.*}} axes [0, 1] {inverse = true} : (tensor<2x8xcomplex<f64>>) -> tensor<2x8xcomplex<f64>>
  %z = net.fft %y axes [0, 1] {inverse = true} : (tensor<2x8xcomplex<f64>>) -> tensor<2x8xcomplex<f64>>
  return
}
