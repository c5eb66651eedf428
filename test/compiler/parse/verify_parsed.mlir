// RUN: plumb-opt --plumb-parse %s | FileCheck %s

// The smallest program: an entry that calls a Python function.

// CHECK: net.python.func @identity
net.python.func @identity(x) names {} {
  %0 = net.python.load "x"
  net.python.return %0
}

net.cell @network class "Net" members {} methods {construct = @identity}

// CHECK: net.entry @train calls @identity
net.entry @train calls @identity (tensor<4xf32>) {columns = ["x"]}

// A cell, a gradient function and a method can be called as well.
net.entry @cell calls @network (tensor<4xf32>)
net.entry @gradient calls #net.grad<fn = @identity, argnums = [0], weights = [], value = true, has_aux = false, sens = false> (tensor<4xf32>)
net.entry @method calls #net.method<@identity, self = @network> ()
