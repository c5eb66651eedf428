// RUN: plumb-opt %s --plumb-remove-redundant-reads | FileCheck %s

// Before tokens are there, the order of effects is that of the text; the pass keeps its hands off.

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// CHECK-LABEL: func.func @untokened(
// CHECK: net.read @w
// CHECK: net.read @w
func.func @untokened() -> (tensor<f32>, tensor<f32>) {
  %a = net.read @w : tensor<f32>
  %b = net.read @w : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}
