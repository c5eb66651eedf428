// RUN: plumb-opt --plumb-resolve-attributes --verify-diagnostics %s

net.namespace @ops {reshape = #net.primitive<"reshape">}

net.python.func @f() names {} {
  %0 = net.python.constant @ops
  // expected-error @+1 {{the module 'ops' has no attribute 'reshap'; did you mean 'reshape'?}}
  %1 = net.python.getattr %0, "reshap"
}
