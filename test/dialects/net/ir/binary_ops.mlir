// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Arithmetic, comparison and logic of two tensors: syntax survives printing and parsing.

// CHECK-LABEL: func.func @add(
func.func @add(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.add %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.add %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @sub(
func.func @sub(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.sub %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.sub %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @mul(
func.func @mul(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.mul %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.mul %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @div(
func.func @div(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.div %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.div %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @pow(
func.func @pow(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.pow %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.pow %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @maximum(
func.func @maximum(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.maximum %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.maximum %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @minimum(
func.func @minimum(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.minimum %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.minimum %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @floor_div(
func.func @floor_div(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.floor_div %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.floor_div %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @mod(
func.func @mod(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.mod %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.mod %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @rem(
func.func @rem(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: net.rem %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %z = net.rem %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %z : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @bits(
func.func @bits(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: net.bitwise_and %{{.*}}, %{{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %0 = net.bitwise_and %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: net.bitwise_or
  %1 = net.bitwise_or %0, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: net.bitwise_xor
  %2 = net.bitwise_xor %1, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: net.left_shift
  %3 = net.left_shift %2, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: net.right_shift
  %4 = net.right_shift %3, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %4 : tensor<4xi32>
}

// CHECK-LABEL: func.func @equal(
func.func @equal(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xi1> {
  // CHECK: net.equal %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %z = net.equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %z : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @not_equal(
func.func @not_equal(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xi1> {
  // CHECK: net.not_equal %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %z = net.not_equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %z : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @less(
func.func @less(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xi1> {
  // CHECK: net.less %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %z = net.less %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %z : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @less_equal(
func.func @less_equal(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xi1> {
  // CHECK: net.less_equal %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %z = net.less_equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %z : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @greater(
func.func @greater(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xi1> {
  // CHECK: net.greater %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %z = net.greater %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %z : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @greater_equal(
func.func @greater_equal(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xi1> {
  // CHECK: net.greater_equal %{{.*}}, %{{.*}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  %z = net.greater_equal %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xi1>
  return %z : tensor<2x4xi1>
}

// CHECK-LABEL: func.func @logical_and(
func.func @logical_and(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK: net.logical_and %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %z = net.logical_and %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %z : tensor<4xi1>
}

// CHECK-LABEL: func.func @logical_or(
func.func @logical_or(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  // CHECK: net.logical_or %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %z = net.logical_or %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %z : tensor<4xi1>
}
