// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// parameter_c1
// expected-error @+1 {{is of type 'tensor<4xf32>', but its initial value of type 'tensor<3xf32>'}}
net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<3xf32>

// -----

// parameter_c1
// expected-error @+1 {{needs #net.init or dense elements as initial value}}
net.parameter @w : tensor<4xf32> = "zeros"

// -----

// python_func_c1
// expected-error @+1 {{has the parameter 'y' without default after one with default}}
net.python.func @f(x = 1 : i64, y) names {} {
}

// -----

// python_func_c2
// expected-error @+1 {{names the parameter 'x' twice}}
net.python.func @f(x, x) names {} {
}
