// RUN: plumb-opt %s --plumb-insert-state-tokens --split-input-file --verify-diagnostics

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

func.func @region(%x: tensor<f32>) {
  // expected-error @+1 {{has effects in its regions, but state cannot be threaded through it}}
  scf.execute_region {
    net.assign @w, %x : tensor<f32>
    scf.yield
  }
  return
}

// -----

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

func.func @twice(%x: tensor<f32>, %u: !net.u) {
  // expected-error @+1 {{already has a state token}}
  %u1 = net.assign @w, %x after %u : tensor<f32>
  return
}

// -----

net.parameter @w : tensor<f32> = dense<0.0> : tensor<f32>

// expected-error @+1 {{has effects, but a region of more than one block}}
func.func @blocks(%c: i1, %x: tensor<f32>) {
  cf.br ^next
^next:
  net.assign @w, %x : tensor<f32>
  return
}
