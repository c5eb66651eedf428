// RUN: plumb-opt --plumb-verify-resolved --verify-diagnostics %s

net.python.func @f() names {scale = 1 : i64} {
  // expected-error @+1 {{loads the unresolved name 'scale'}}
  %0 = net.python.load "scale"
  // expected-error @+1 {{refers to @missing, which nothing declares}}
  %1 = net.python.constant @missing
}

// expected-error @+1 {{refers to @gone, which nothing declares}}
net.cell @network class "Net" members {child = @gone} methods {construct = @f}
