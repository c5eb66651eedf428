// RUN: plumb-opt --plumb-verify-parsed --split-input-file --verify-diagnostics %s

// expected-error @+1 {{nothing to compile: the program has no net.entry}}
module {
}

// -----

// expected-error @+1 {{calls @missing, which nothing declares}}
net.entry @train calls @missing (tensor<4xf32>)

// -----

// expected-note @+1 {{declared here}}
net.cell @network class "Net" members {} methods {}
// expected-error @+1 {{calls @network, a cell without a `construct`}}
net.entry @train calls @network (tensor<4xf32>)

// -----

net.python.func @f(x, y) names {} {
  %0 = net.python.load "x"
  net.python.return %0
}
// expected-error @+1 {{names 1 columns for 2 inputs}}
net.entry @train calls @f (tensor<4xf32>, tensor<4xf32>) {columns = ["x"]}

// -----

net.python.func @f() names {} {
}
net.entry @train calls @f ()
func.func @g() {
  // expected-error @+1 {{stands outside a net.python.func}}
  %0 = net.python.constant 1 : i64
  return
}
