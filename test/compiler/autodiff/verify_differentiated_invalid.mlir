// RUN: plumb-opt %s --plumb-verify-differentiated --verify-diagnostics

func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @left(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{is left after autodiff}}
  %0:2 = net.value_and_grad @f(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0#1 : tensor<f32>
}
