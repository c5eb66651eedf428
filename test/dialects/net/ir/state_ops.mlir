// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Parameters read and written, prints and tokens: syntax survives printing and parsing.

net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>

// CHECK-LABEL: func.func @unordered(
func.func @unordered() {
  // CHECK: %[[V:.*]] = net.read @w : tensor<4xf32>
  %v = net.read @w : tensor<4xf32>
  // CHECK: net.assign @w, %[[V]] : tensor<4xf32>
  net.assign @w, %v : tensor<4xf32>
  // CHECK: net.print "w {}"(%[[V]]) : tensor<4xf32>
  net.print "w {}"(%v) : tensor<4xf32>
  // CHECK: net.print "done"()
  net.print "done"()
  return
}

// CHECK-LABEL: func.func @ordered(
func.func @ordered() -> (tensor<4xf32>, !net.u, !net.io) {
  // CHECK: %[[U0:.*]] = net.token : !net.u
  %u0 = net.token : !net.u
  // CHECK: %[[IO0:.*]] = net.token : !net.io
  %io0 = net.token : !net.io
  // CHECK: %[[V:.*]], %[[U1:.*]] = net.read @w after %[[U0]] : tensor<4xf32>
  %v, %u1 = net.read @w after %u0 : tensor<4xf32>
  // CHECK: %[[U2:.*]] = net.assign @w, %[[V]] after %[[U1]] : tensor<4xf32>
  %u2 = net.assign @w, %v after %u1 : tensor<4xf32>
  // CHECK: net.print "w {}"(%[[V]]) after %[[IO0]] : tensor<4xf32>
  %io1 = net.print "w {}"(%v) after %io0 : tensor<4xf32>
  // CHECK: net.depend %[[V]], %[[U2]] : tensor<4xf32>, !net.u
  %r = net.depend %v, %u2 : tensor<4xf32>, !net.u
  return %r, %u2, %io1 : tensor<4xf32>, !net.u, !net.io
}
