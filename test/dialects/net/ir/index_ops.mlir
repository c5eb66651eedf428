// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Ops that address by integers: syntax survives printing and parsing.

// CHECK-LABEL: func.func @one_hot(
func.func @one_hot(%i: tensor<32xi32>) -> tensor<32x10xf32> {
  // CHECK: net.one_hot %{{.*}} depth 10 on 1.000000e+00 off 0.000000e+00 as f32 : (tensor<32xi32>) -> tensor<32x10xf32>
  %y = net.one_hot %i depth 10 on 1.0 off 0.0 as f32 : (tensor<32xi32>) -> tensor<32x10xf32>
  return %y : tensor<32x10xf32>
}

// CHECK-LABEL: func.func @from_front(
func.func @from_front(%i: tensor<32xi64>, %j: tensor<2xi8>) -> (tensor<32xi64>, tensor<2xi32>, tensor<2xi32>) {
  // CHECK: net.from_front %{{.*}} extent 100 : (tensor<32xi64>) -> tensor<32xi64>
  %y = net.from_front %i extent 100 : (tensor<32xi64>) -> tensor<32xi64>
  // CHECK: net.from_front %{{.*}} extent 100 {wrap = false} : (tensor<32xi64>) -> tensor<32xi64>
  %v = net.from_front %y extent 100 {wrap = false} : (tensor<32xi64>) -> tensor<32xi64>
  // CHECK: net.from_front %{{.*}} extent 300 : (tensor<2xi8>) -> tensor<2xi32>
  %z = net.from_front %j extent 300 : (tensor<2xi8>) -> tensor<2xi32>
  %c = net.constant dense<[-1, 1]> : tensor<2xi8>
  %w = net.from_front %c extent 300 : (tensor<2xi8>) -> tensor<2xi32>
  return %y, %z, %w : tensor<32xi64>, tensor<2xi32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @gather(
func.func @gather(%x: tensor<100x8xf32>, %i: tensor<32xi32>) -> tensor<32x8xf32> {
  // CHECK: net.gather %{{.*}}, %{{.*}} axis 0 : (tensor<100x8xf32>, tensor<32xi32>) -> tensor<32x8xf32>
  %y = net.gather %x, %i axis 0 : (tensor<100x8xf32>, tensor<32xi32>) -> tensor<32x8xf32>
  return %y : tensor<32x8xf32>
}

// CHECK-LABEL: func.func @gather_grad(
func.func @gather_grad(%dy: tensor<32x8xf32>, %i: tensor<32xi32>) -> tensor<100x8xf32> {
  // CHECK: net.gather_grad %{{.*}}, %{{.*}} into [100, 8] axis 0 : (tensor<32x8xf32>, tensor<32xi32>) -> tensor<100x8xf32>
  %dx = net.gather_grad %dy, %i into [100, 8] axis 0 : (tensor<32x8xf32>, tensor<32xi32>) -> tensor<100x8xf32>
  return %dx : tensor<100x8xf32>
}

// CHECK-LABEL: func.func @gather_in_batches(
func.func @gather_in_batches(%x: tensor<4x100xf32>, %i: tensor<4x7xi32>) {
  // CHECK: net.gather %{{.*}}, %{{.*}} axis 1 {batch = 1 : i64} : (tensor<4x100xf32>, tensor<4x7xi32>) -> tensor<4x7xf32>
  %y = net.gather %x, %i axis 1 {batch = 1 : i64} : (tensor<4x100xf32>, tensor<4x7xi32>) -> tensor<4x7xf32>
  return
}

// CHECK-LABEL: func.func @scatter(
func.func @scatter(%x: tensor<100x8xf32>, %i: tensor<32xi32>, %u: tensor<32x8xf32>) {
  // CHECK: net.scatter %{{.*}}, %{{.*}}, %{{.*}} mode "add" : (tensor<100x8xf32>, tensor<32xi32>, tensor<32x8xf32>) -> tensor<100x8xf32>
  %y = net.scatter %x, %i, %u mode "add" : (tensor<100x8xf32>, tensor<32xi32>, tensor<32x8xf32>) -> tensor<100x8xf32>
  return
}
