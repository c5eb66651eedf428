// RUN: plumb-opt --plumb-resolve-names --verify-diagnostics %s

// expected-note @+1 {{in 'f'}}
net.python.func @f(logits) names {softmax = #net.primitive<"softmax">} {
  // expected-error @+1 {{the name 'sofmax' is not defined; did you mean 'softmax'?}}
  %0 = net.python.load "sofmax"
}

// expected-note @+1 {{in 'g'}}
net.python.func @g(logits) names {} {
  // expected-error @+1 {{the name 'logit' is not defined; did you mean 'logits'?}}
  %0 = net.python.load "logit"
  // expected-error @+1 {{the name 'elephant' is not defined}}
  %1 = net.python.load "elephant"
}
