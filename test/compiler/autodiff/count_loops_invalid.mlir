// RUN: plumb-opt %s --plumb-count-loops | FileCheck %s

// No counting: the number is multiplied; it goes the other way, without an end; it runs over before it is there; the
// bound changes; the steps are read at run time, and may run over.

// CHECK-LABEL: func.func @others(
// CHECK-NOT:     scf.for
func.func @others(%n: tensor<i8>) -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>) {
  %one = net.constant dense<1> : tensor<i8>
  %two = net.constant dense<2> : tensor<i8>
  %most = net.constant dense<127> : tensor<i8>
  %0 = scf.while (%t = %one) : (tensor<i8>) -> (tensor<i8>) {
    %goes = net.less %t, %most : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %t : tensor<i8>
  } do {
  ^bb0(%t: tensor<i8>):
    %next = net.mul %t, %two : (tensor<i8>, tensor<i8>) -> tensor<i8>
    scf.yield %next : tensor<i8>
  }
  %1 = scf.while (%t = %one) : (tensor<i8>) -> (tensor<i8>) {
    %goes = net.less %t, %most : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %t : tensor<i8>
  } do {
  ^bb0(%t: tensor<i8>):
    %next = net.sub %t, %one : (tensor<i8>, tensor<i8>) -> tensor<i8>
    scf.yield %next : tensor<i8>
  }
  %2 = scf.while (%t = %two) : (tensor<i8>) -> (tensor<i8>) {
    %goes = net.less %t, %most : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %t : tensor<i8>
  } do {
  ^bb0(%t: tensor<i8>):
    %next = net.add %t, %two : (tensor<i8>, tensor<i8>) -> tensor<i8>
    scf.yield %next : tensor<i8>
  }
  %3:2 = scf.while (%t = %one, %m = %most) : (tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>) {
    %goes = net.less %t, %m : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %t, %m : tensor<i8>, tensor<i8>
  } do {
  ^bb0(%t: tensor<i8>, %m: tensor<i8>):
    %next = net.add %t, %one : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %less = net.sub %m, %one : (tensor<i8>, tensor<i8>) -> tensor<i8>
    scf.yield %next, %less : tensor<i8>, tensor<i8>
  }
  %4 = scf.while (%t = %one) : (tensor<i8>) -> (tensor<i8>) {
    %goes = net.less_equal %t, %n : (tensor<i8>, tensor<i8>) -> tensor<i1>
    %c = tensor.extract %goes[] : tensor<i1>
    scf.condition(%c) %t : tensor<i8>
  } do {
  ^bb0(%t: tensor<i8>):
    %next = net.add %t, %one : (tensor<i8>, tensor<i8>) -> tensor<i8>
    scf.yield %next : tensor<i8>
  }
  return %0, %1, %2, %3#0, %4 : tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>
}
