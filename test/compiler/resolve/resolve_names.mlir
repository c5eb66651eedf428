// RUN: plumb-opt --plumb-resolve-names %s | FileCheck %s

// Globals become the objects they mean; parameters, stored names and loop
// variables are local, wherever the store stands.

// CHECK-LABEL: net.python.func @f
net.python.func @f(x) names {scale = 2.0 : f64, network = @network, range = #net.primitive<"builtins.range">, x = 1 : i64, y = 5 : i64} {
  // CHECK: net.python.constant 2.000000e+00 : f64
  %0 = net.python.load "scale"
  // CHECK: net.python.constant @network
  %1 = net.python.load "network"
  // CHECK: net.python.load "x"
  %2 = net.python.load "x"
  // CHECK: net.python.load "y"
  %3 = net.python.load "y"
  // CHECK: net.python.constant #net.primitive<"builtins.range">
  %4 = net.python.load "range"
  net.python.for "i" in %4 {
    // CHECK: net.python.load "i"
    %5 = net.python.load "i"
    net.python.store "y", %5
  }
}

// CHECK-LABEL: net.python.func @stars
net.python.func @stars() names {args = 1 : i64} attributes {star_args = "args"} {
  // CHECK: net.python.load "args"
  %0 = net.python.load "args"
}

net.cell @network class "Net" members {} methods {}
