// RUN: plumb-opt %s --plumb-annotate-inlining | FileCheck %s

// Without an entry nothing says what may go: visibilities stay.

// CHECK: func.func @helper(
func.func @helper(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
