// RUN: plumb-opt --plumb-verify-specialized --split-input-file --verify-diagnostics %s

// expected-error @+1 {{belongs to the Python level}}
net.python.func @f(x) names {} {
}
// expected-error @+1 {{must call a func.func after specialize}}
net.entry @train calls @f (tensor<4xf32>)

// -----

// expected-note @+1 {{the function is here}}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{gives types that its function does not take}}
net.entry @train calls @g (tensor<5xf32>)

// -----

func.func private @h(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{yields a value of unknown shape after specialize}}
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
