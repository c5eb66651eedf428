// The whole of both stages on a dense layer with momentum: no copy is left.
// RUN: plumb-opt %s --plumb-sink --plumb-lower=target-cpu=x86-64-v4 | FileCheck %s

net.parameter @w : tensor<3x4xf32> = #net.init<"normal", [1.0e-2], stream = 3>
net.parameter @b : tensor<3xf32> = #net.init<"zero", [], stream = 4>
net.parameter @m : tensor<3x4xf32> = #net.init<"zero", [], stream = 5> {requires_grad = false}
net.entry @train calls @step (tensor<2x4xf32>, tensor<2xi32>) {mode = "train", columns = ["x", "y"], reports = ["loss"]}
func.func @step(%x: tensor<2x4xf32>, %y: tensor<2xi32>) -> (tensor<f32>, !net.u) {
  %u = net.token : !net.u
  %w, %u1 = net.read @w after %u : tensor<3x4xf32>
  %b, %u2 = net.read @b after %u1 : tensor<3xf32>
  %m, %u3 = net.read @m after %u2 : tensor<3x4xf32>
  %l0 = net.matmul %x, %w {transpose_b = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %l1 = net.add %l0, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %l = net.relu %l1 : tensor<2x3xf32>
  %g = net.matmul %l, %x {transpose_a = true} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %k = net.constant dense<0.9> : tensor<f32>
  %mk = net.mul %m, %k : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %m1 = net.add %mk, %g : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %u4 = net.assign @m, %m1 after %u3 : tensor<3x4xf32>
  %lr = net.mul %m1, %k : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %w1 = net.sub %w, %lr : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %u5 = net.assign @w, %w1 after %u4 : tensor<3x4xf32>
  %loss = net.reduce_mean %l over [0, 1] : (tensor<2x3xf32>) -> tensor<f32>
  return %loss, %u5 : tensor<f32>, !net.u
}

// The update stands behind its gradient, whose place the sum of the loss takes over.
// CHECK: device.module @train attributes {{.*}}arena_bytes = 128 : i64
// CHECK-NOT: linalg.copy
// CHECK: linalg.fill
// CHECK-NEXT: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: linalg.fill {{.*}} outs(%[[G:[0-9]+]] : memref<3x4xf32>)
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[G]] : memref<3x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[W:.*]], %[[M:.*]], %[[G]] : {{.*}}) outs(%[[M]], %[[W]] : memref<3x4xf32>, memref<3x4xf32>)
// CHECK-NOT: linalg.copy
// CHECK: device.emit @loss
// CHECK: device.yield
