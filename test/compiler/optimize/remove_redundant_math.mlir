// RUN: plumb-opt %s --plumb-remove-redundant-math | FileCheck %s

// CHECK-LABEL: func.func @signs(
// CHECK-SAME:    %[[W:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>, %[[LR:.*]]: tensor<f32>)
// CHECK-NEXT:    %[[S:.*]] = net.mul %[[LR]], %[[G]]
// CHECK-NEXT:    %[[Y:.*]] = net.sub %[[W]], %[[S]]
// CHECK-NEXT:    return %[[Y]]
func.func @signs(%w: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>) -> tensor<4xf32> {
  %0 = net.neg %lr : tensor<f32>
  %1 = net.mul %0, %g : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = net.add %w, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @minus_one(
// CHECK:         %[[Y:.*]] = net.neg %{{.*}} : tensor<4xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @minus_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = net.constant dense<-1.0> : tensor<f32>
  %0 = net.mul %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @power_of_two(
// CHECK-DAG:     %[[E:.*]] = net.constant dense<1.250000e-01> : tensor<f32>
// CHECK:         net.mul %{{.*}}, %[[E]]
// CHECK-NOT:     net.div
func.func @power_of_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = net.constant dense<8.0> : tensor<f32>
  %0 = net.div %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @whole_powers(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<4xf32>
// CHECK:         %[[S:.*]] = net.mul %[[X]], %[[X]]
// CHECK-NEXT:    %[[C:.*]] = net.mul %{{.*}}, %[[X]]
// CHECK:         net.pow
// CHECK-NOT:     net.pow
func.func @whole_powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = net.constant dense<2.0> : tensor<f32>
  %three = net.constant dense<3.0> : tensor<f32>
  %half = net.constant dense<0.5> : tensor<f32>
  %0 = net.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = net.pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = net.pow %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @scales(
// CHECK-DAG:     %[[C:.*]] = net.constant dense<6.000000e-01> : tensor<f32>
// CHECK:         %[[Y:.*]] = net.mul %{{.*}}, %[[C]]
// CHECK-NEXT:    return %[[Y]]
func.func @scales(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = net.constant dense<2.0> : tensor<f32>
  %b = net.constant dense<0.3> : tensor<f32>
  %0 = net.mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = net.mul %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @neutral(
// CHECK:         net.broadcast_to %{{.*}} to [4]
// CHECK-NOT:     net.add
func.func @neutral(%x: tensor<f32>) -> tensor<4xf32> {
  %c = net.constant dense<0.0> : tensor<4xf32>
  %0 = net.add %c, %x : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @sums(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<1x4xf32>)
// CHECK-DAG:     %[[N:.*]] = net.constant dense<8.000000e+00> : tensor<f32>
// CHECK-DAG:     %[[A:.*]] = net.mul %[[X]], %[[N]]
// CHECK-DAG:     %[[B:.*]] = net.reshape %[[Z]] to [4]
// CHECK:         return %[[A]], %[[B]]
func.func @sums(%x: tensor<4xf32>, %z: tensor<1x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = net.broadcast_to %x to [8, 4] : (tensor<4xf32>) -> tensor<8x4xf32>
  %1 = net.reduce_sum %0 over [0] : (tensor<8x4xf32>) -> tensor<4xf32>
  %2 = net.reduce_sum %z over [0] : (tensor<1x4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
