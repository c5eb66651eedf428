// RUN: plumb-opt --plumb-specialize-programs --split-input-file --verify-diagnostics %s

// The error stands where the mistake is, the calls that led there follow.

net.python.func @inner(y) names {} {
  %0 = net.python.load "y"
  // expected-error @+1 {{a tensor has no attribute 'shapes' in compiled functions}}
  %1 = net.python.getattr %0, "shapes"
  net.python.return %1
}
net.python.func @outer(x) names {} {
  %0 = net.python.constant @inner
  %1 = net.python.load "x"
  // expected-note @+1 {{in 'inner', called from here}}
  %2 = net.python.call %0(%1)
  net.python.return %2
}
net.entry @train calls @outer (tensor<4xf32>)

// -----

// Calls in the package's wrappers of networks are none that the user wrote.

net.python.func @inner(y) names {} {
  %0 = net.python.load "y"
  // expected-error @+1 {{a tensor has no attribute 'shapes' in compiled functions}}
  %1 = net.python.getattr %0, "shapes"
  net.python.return %1
}
net.python.func @wrapper(x) names {} {
  %0 = net.python.constant @inner
  %1 = net.python.load "x"
  %2 = net.python.call %0(%1) loc("/lib/plumb/nn/wrap/cell_wrapper.py":19:15)
  net.python.return %2
}
net.entry @train calls @wrapper (tensor<4xf32>)

// -----

net.python.func @join(x) names {} {
  %x = net.python.load "x"
  %0 = net.python.constant 0.0 : f64
  %1 = net.python.operator "lt"(%x, %0)
  net.python.if %1 {
    // expected-note @+1 {{assigned here}}
    net.python.store "y", %x
  } else {
    %2 = net.python.constant "text"
    // expected-note @+1 {{assigned here}}
    net.python.store "y", %2
  }
  // expected-error @+1 {{Type Join Failed: 'y' is a tensor of shape () of f32 if the condition holds, but the string 'text' if it does not}}
  %3 = net.python.load "y"
  net.python.return %3
}
net.entry @train calls @join (tensor<f32>)

// -----

net.python.func @returns(x) names {} {
  %x = net.python.load "x"
  // expected-error @+1 {{Type Join Failed: the function returns a tensor of shape () of f32 if the condition holds, but None if it does not}}
  net.python.if %x {
    // expected-note @+1 {{returned if the condition holds}}
    net.python.return %x
  }
  // expected-note @+2 {{returned if it does not}}
  %0 = net.python.constant #net.none
  net.python.return %0
}
net.entry @train calls @returns (tensor<f32>)

// -----

net.python.func @once(x) names {} {
  %x = net.python.load "x"
  net.python.if %x {
    // expected-note @+1 {{assigned here}}
    net.python.store "y", %x
  }
  // expected-error @+1 {{'y' may be undefined here: it is assigned only on one side}}
  %0 = net.python.load "y"
  net.python.return %0
}
net.entry @train calls @once (tensor<f32>)

// -----

net.python.func @ambiguous(x) names {} {
  %x = net.python.load "x"
  // expected-error @+1 {{the truth of a tensor of shape (4,) of f32 is ambiguous}}
  net.python.if %x {
  }
}
net.entry @train calls @ambiguous (tensor<4xf32>)

// -----

// expected-note @+1 {{the function is defined here}}
net.python.func @takes(x, y) names {} {
  %0 = net.python.load "x"
  net.python.return %0
}
// expected-error @+1 {{takes() is missing the argument 'y'}}
net.entry @train calls @takes (tensor<4xf32>)

// -----

net.python.func @changes(x) names {} {
  %x = net.python.load "x"
  // expected-error @+1 {{Type Join Failed: 'x' is a tensor of shape (1,) of f32 before this loop and a tensor of shape (1, 1) of f32 after an iteration}}
  net.python.while {
    %0 = net.python.load "x"
    net.python.condition %0
  } do {
    %0 = net.python.load "x"
    %1 = net.python.constant #net.primitive<"expand_dims">
    %2 = net.python.constant 0 : i64
    %3 = net.python.call %1(%0, %2)
    // expected-note @+1 {{assigned here}}
    net.python.store "x", %3
  }
  net.python.return %x
}
net.entry @train calls @changes (tensor<f32>)

// -----

net.python.func @forever(x) names {} {
  %0 = net.python.constant @forever
  %1 = net.python.load "x"
  // expected-error @+1 {{the recursion of 'forever' never ends: it calls itself with the very same arguments}}
  %2 = net.python.call %0(%1)
  net.python.return %2
}
net.entry @train calls @forever (tensor<f32>)

// -----

// expected-note @+1 {{the Parameter is made here}}
net.parameter @w : tensor<4xf32> = dense<1.0> : tensor<4xf32>
net.python.func @assigns(x) names {} {
  %0 = net.python.constant #net.primitive<"assign">
  %1 = net.python.constant @w
  %2 = net.python.load "x"
  // expected-error @+1 {{cannot assign a tensor of shape (5,) of f32 to the Parameter 'w' of shape (4,) of f32}}
  %3 = net.python.call %0(%1, %2)
}
net.entry @train calls @assigns (tensor<5xf32>)

// -----

net.python.func @unknown(x) names {} {
  %0 = net.python.constant #net.primitive<"softmx">
  %1 = net.python.load "x"
  // expected-error @+1 {{the operator 'softmx' is not offered in compiled functions; did you mean 'softmax'?}}
  %2 = net.python.call %0(%1)
}
net.entry @train calls @unknown (tensor<5xf32>)

// -----

// expected-note @+1 {{the function is defined here}}
net.python.func @texts(x) names {} {
  %0 = net.python.constant "three"
  net.python.return %0
}
net.python.func @grads(x) names {} {
  %0 = net.python.constant #net.grad<fn = @texts, argnums = [0], weights = [], value = true, has_aux = false, sens = false>
  %1 = net.python.load "x"
  // expected-error @+1 {{only a function that returns a tensor has a gradient, but this one returns the string 'three'}}
  %2 = net.python.call %0(%1)
}
net.entry @train calls @grads (tensor<4xi32>)

// -----

net.python.func @late(x) names {} {
  %x = net.python.load "x"
  %0 = net.python.constant #net.primitive<"matmul">
  // expected-error @+1 {{cannot multiply 'tensor<4x5xf32>' by 'tensor<4x5xf32>': 5 columns meet 4 rows}}
  %1 = net.python.call %0(%x, %x)
  net.python.return %1
}
net.entry @train calls @late (tensor<4x5xf32>)

// -----

// Recursion that changes its arguments is stopped by its depth; a long chain is
// shortened in the middle.

net.python.func @deeper(x, n) names {} {
  %0 = net.python.constant @deeper
  %1 = net.python.load "x"
  %2 = net.python.load "n"
  %3 = net.python.constant 1 : i64
  %4 = net.python.operator "add"(%2, %3)
  // expected-error @+3 {{Exceed function call depth limit 1000 in 'deeper'}}
  // expected-note @+2 {{in 'deeper', called from here}}
  // expected-note @+1 {{… 991 more calls}}
  %5 = net.python.call %0(%1, %4)
  net.python.return %5
}
net.python.func @start(x) names {} {
  %0 = net.python.constant @deeper
  %1 = net.python.load "x"
  %2 = net.python.constant 0 : i64
  // expected-note @+1 {{in 'deeper', called from here}}
  %3 = net.python.call %0(%1, %2)
  net.python.return %3
}
net.entry @train calls @start (tensor<f32>)

// -----

net.python.func @tries(x) names {} {
  %0 = net.python.load "x"
  net.python.try {
    net.python.if %0 {
      // expected-note @+1 {{raised here}}
      net.python.raise "ValueError: x must be zero"
    }
  } except {
    %2 = net.python.constant #net.primitive<"builtins.reraise">
    // expected-error @+1 {{a compiled function cannot handle what is raised under a condition on a tensor}}
    %3 = net.python.call %2()
  }
  net.python.return %0
}
net.entry @train calls @tries (tensor<f32>)

// -----

// Sizes that no machine can have are refused where they are read or made, before anything counts their bytes.
net.parameter @huge : tensor<1073741824x1073741824xf32> = #net.init<"uniform", [1.0], stream = 0>
net.python.func @reads_huge(x) names {} {
  %0 = net.python.constant @huge
  %1 = net.python.load "x"
  // expected-error @+1 {{the parameter 'huge' of shape (1073741824, 1073741824) takes more than the 128 TiB that a processor can address}}
  %2 = net.python.operator "mul"(%0, %1)
  net.python.return %2
}
net.entry @train calls @reads_huge (tensor<f32>)

// -----

// A method that changes a tensor in place has a counterpart that does not.

net.python.func @in_place(y) names {} {
  %0 = net.python.load "y"
  // expected-error @+1 {{a tensor has no attribute 'abs_' in compiled functions, where tensors do not change in place; assign the result of 'abs' instead}}
  %1 = net.python.getattr %0, "abs_"
  net.python.return %1
}
net.entry @train calls @in_place (tensor<4xf32>)

// -----

// An attribute that one side of a branch sets may be missing behind it.

net.cell @net class "Net" members {} methods {construct = @construct}
net.python.func @construct(self, x) names {} {
  %self = net.python.load "self"
  %x = net.python.load "x"
  %0 = net.python.constant 0.0 : f64
  %1 = net.python.operator "gt"(%x, %0)
  // expected-note @+1 {{this is the branch}}
  net.python.if %1 {
    // expected-note @+1 {{it is set here}}
    net.python.setattr %self, "seen", %x
  }
  // expected-error @+1 {{the attribute 'seen' may be missing here, or be an older one}}
  %2 = net.python.getattr %self, "seen"
  net.python.return %2
}
net.entry @train calls @net (tensor<f32>)

// -----

// Which of two lists a branch chooses, no boolean known now says.

net.python.func @chosen(x) names {} {
  %x = net.python.load "x"
  %make = net.python.constant #net.primitive<"builtins.make_list">
  %list = net.python.call %make(%x)
  net.python.store "first", %list
  net.python.store "chosen", %list
  %0 = net.python.constant 0.0 : f64
  %1 = net.python.operator "gt"(%x, %0)
  net.python.if %1 {
    %other = net.python.call %make(%x)
    net.python.store "chosen", %other
  }
  %first = net.python.load "first"
  %chosen = net.python.load "chosen"
  // expected-error @+1 {{a branch or loop on a tensor decides whether a list of 1 values 'is' the other one}}
  %2 = net.python.operator "is"(%chosen, %first)
  net.python.return %x
}
net.entry @train calls @chosen (tensor<f32>)

// -----

// Methods of dicts, of which no live process tells how many arguments they take.

net.python.func @entries(x) names {} {
  %x = net.python.load "x"
  %key = net.python.constant "a"
  %dict = net.python.dict ["a"](%x)
  %keys = net.python.getattr %dict, "keys"
  // expected-error @+1 {{TypeError: keys() takes at most 0 positional arguments but 1 were given}}
  %found = net.python.call %keys(%key)
  net.python.return %found
}
net.entry @train calls @entries (tensor<4xf32>)
