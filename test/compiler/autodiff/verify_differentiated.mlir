// RUN: plumb-opt %s --plumb-verify-differentiated | FileCheck %s

// CHECK-LABEL: func.func @plain(
func.func @plain(%x: tensor<f32>) -> tensor<f32> {
  %0 = net.exp %x : tensor<f32>
  return %0 : tensor<f32>
}
