// RUN: plumb-opt --plumb-expand-complex --split-input-file --verify-diagnostics %s

func.func private @f(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // expected-error @+1 {{is not offered for complex numbers}}
  %0 = tensor.cast %x : tensor<2xcomplex<f32>> to tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

func.func private @g(%x: tensor<4xcomplex<f32>>, %i: tensor<1xi32>, %u: tensor<1xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+2 {{has the mode "mul", which is not offered for complex numbers}}
  // expected-error @+1 {{failed to legalize operation 'net.scatter'}}
  %0 = net.scatter %x, %i, %u mode "mul" : (tensor<4xcomplex<f32>>, tensor<1xi32>, tensor<1xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
