// RUN: plumb-opt %s --plumb-elide-inline-barriers | FileCheck %s

// A declaration without a body has nothing to inline and is left as it is.

// CHECK: func.func private @elsewhere(tensor<f32>) -> tensor<f32>
func.func private @elsewhere(tensor<f32>) -> tensor<f32>
