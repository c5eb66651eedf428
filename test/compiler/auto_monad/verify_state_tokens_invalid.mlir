// RUN: plumb-opt %s --plumb-verify-state-tokens --split-input-file --verify-diagnostics

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

func.func @bare(%x: tensor<f32>) {
  // expected-error @+1 {{has an effect but takes no state token}}
  net.assign @w, %x : tensor<f32>
  return
}

// -----

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

func.func @fork(%x: tensor<f32>, %u: !net.u) -> (!net.u, !net.u) {
  // expected-note @+1 {{first continued here}}
  %u1 = net.assign @w, %x after %u : tensor<f32>
  // expected-error @+1 {{continues a state token that was continued before}}
  %u2 = net.assign @w, %x after %u : tensor<f32>
  return %u1, %u2 : !net.u, !net.u
}
