// RUN: plumb-opt %s -split-input-file -verify-diagnostics

// python_call_c1
net.python.func @f(x) names {} {
  %0 = net.python.load "x"
  // expected-error @+1 {{has 1 arguments, but 2 names for them}}
  %1 = net.python.call %0(%0) names ["", "axis"]
}

// -----

// python_operator_c1
net.python.func @f(x) names {} {
  %0 = net.python.load "x"
  // expected-error @+1 {{'plus' is no operator of Python}}
  %1 = net.python.operator "plus"(%0, %0)
}

// -----

// python_operator_c1
net.python.func @f(x) names {} {
  %0 = net.python.load "x"
  // expected-error @+1 {{'neg' takes 1 operands, but has 2}}
  %1 = net.python.operator "neg"(%0, %0)
}

// -----

// python_dict_c1
net.python.func @f(x) names {} {
  %0 = net.python.load "x"
  // expected-error @+1 {{has 2 keys, but 1 values}}
  %1 = net.python.dict ["a", "b"](%0)
}

// -----

// python_while_c1
net.python.func @f(x) names {} {
  // expected-error @+1 {{needs net.python.condition at the end of its first region}}
  net.python.while {
    %0 = net.python.load "x"
  } do {
  }
}

// -----

// python_break_c1
net.python.func @f(x) names {} {
  // expected-error @+1 {{stands in no loop}}
  net.python.break
}

// -----

// python_continue_c1
net.python.func @f(x) names {} {
  // expected-error @+1 {{stands in no loop}}
  net.python.continue
}

// -----

// python_try_c1
net.python.func @f(x) names {} {
  // expected-error @+1 {{needs a body, and a handler or a last block}}
  net.python.try {
  }
}
