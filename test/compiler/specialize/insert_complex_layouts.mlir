// RUN: plumb-opt --plumb-insert-complex-layouts %s | FileCheck %s

// Columns, results and parameters are real tensors with the parts along a last axis; the program converts.

// CHECK: net.parameter @w : tensor<2x2xf32> = dense<{{.*}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]{{.*}}> : tensor<2x2xf32>
net.parameter @w : tensor<2xcomplex<f32>> = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
// CHECK: net.parameter @splat : tensor<2x2xf64> = dense<{{.*}}1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]{{.*}}> : tensor<2x2xf64>
net.parameter @splat : tensor<2xcomplex<f64>> = dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>
// CHECK: net.parameter @zero : tensor<3x2xf32> = #net.init<"zero", [], stream = 0>
net.parameter @zero : tensor<3xcomplex<f32>> = #net.init<"zero", [], stream = 0>

// CHECK: net.entry @train calls @step (tensor<2x2xf32>, tensor<2xf32>)
net.entry @train calls @step (tensor<2xcomplex<f32>>, tensor<2xf32>)

// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[X:.*]]: tensor<2x2xf32>, %{{.*}}: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>)
func.func @step(%x: tensor<2xcomplex<f32>>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xcomplex<f32>>) {
  // CHECK: %[[R:.*]] = net.slice %[[X]] from [0, 0] to [2, 1] by [1, 1]
  // CHECK: %[[RE:.*]] = net.reshape %[[R]] to [2]
  // CHECK: %[[I:.*]] = net.slice %[[X]] from [0, 1] to [2, 2] by [1, 1]
  // CHECK: %[[IM:.*]] = net.reshape %[[I]] to [2]
  // CHECK: %[[Z:.*]] = net.complex %[[RE]], %[[IM]]
  // CHECK: %[[H:.*]] = net.read @w : tensor<2x2xf32>
  // CHECK: net.slice %[[H]]
  %w = net.read @w : tensor<2xcomplex<f32>>
  // CHECK: %[[P:.*]] = net.mul %[[Z]], %{{.*}} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  %p = net.mul %x, %w : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // CHECK: %[[A:.*]] = net.real %[[P]]
  // CHECK: %[[B:.*]] = net.imag %[[P]]
  // CHECK: %[[S:.*]] = net.stack %[[A]], %[[B]] axis 1
  // CHECK: net.assign @w, %[[S]] : tensor<2x2xf32>
  net.assign @w, %p : tensor<2xcomplex<f32>>
  // A gradient by a parameter comes as the parameter lies.
  // CHECK: net.value_and_grad @loss(%{{.*}}) {weights = [@w]} : (tensor<2xcomplex<f32>>) -> (tensor<2xf32>, tensor<2x2xf32>)
  %l, %g = net.value_and_grad @loss(%x) {weights = [@w]} : (tensor<2xcomplex<f32>>) -> (tensor<2xf32>, tensor<2xcomplex<f32>>)
  // CHECK: return %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2x2xf32>
  return %l, %g : tensor<2xf32>, tensor<2xcomplex<f32>>
}

// What is called by the program alone keeps its types.
// CHECK-LABEL: func.func private @loss(
// CHECK-SAME: tensor<2xcomplex<f32>>) -> tensor<2xf32>
func.func private @loss(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %w = net.read @w : tensor<2xcomplex<f32>>
  %p = net.mul %x, %w : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %a = net.complex_abs %p : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %a : tensor<2xf32>
}
