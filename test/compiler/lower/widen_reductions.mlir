// RUN: plumb-opt %s --plumb-widen-reductions | FileCheck %s

// Sums of small floats are made in f32 and rounded once; other operations, and other types, stay.

// CHECK-LABEL: device.loop @train
device.module @m {
  device.queue @train columns ["x", "y", "i"] (tensor<4x8xbf16>, tensor<8x4xbf16>, tensor<4xi32>) depth(2)
  device.report @r : tensor<f16>
  device.loop @train {mode = "train"} {
    %x, %y, %i = device.get_next @train : tensor<4x8xbf16>, tensor<8x4xbf16>, tensor<4xi32>
    // CHECK: %[[X:.*]] = net.cast %{{.*}} to f32 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    // CHECK: %[[MEAN:.*]] = net.reduce_mean %[[X]] over [1] : (tensor<4x8xf32>) -> tensor<4xf32>
    // CHECK: net.cast %[[MEAN]] to bf16 : (tensor<4xf32>) -> tensor<4xbf16>
    %mean = net.reduce_mean %x over [1] : (tensor<4x8xbf16>) -> tensor<4xbf16>
    // CHECK: net.matmul %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %product = net.matmul %x, %y : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xbf16>
    // Indices stay as they are.
    // CHECK: net.sparse_softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<4x4xf32>, tensor<4xi32>) -> tensor<4xf32>
    %loss = net.sparse_softmax_cross_entropy %product, %i : (tensor<4x4xbf16>, tensor<4xi32>) -> tensor<4xbf16>
    // The largest of some numbers is one of them.
    // CHECK: net.reduce_max %{{.*}} over [0] : (tensor<4xbf16>) -> tensor<bf16>
    %most = net.reduce_max %mean over [0] : (tensor<4xbf16>) -> tensor<bf16>
    // CHECK: net.add {{.*}} -> tensor<4xbf16>
    %sum = net.add %loss, %most : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
    // CHECK: %[[HALF:.*]] = net.cast %{{.*}} to f16 : (tensor<4xbf16>) -> tensor<4xf16>
    %half = net.cast %sum to f16 : (tensor<4xbf16>) -> tensor<4xf16>
    // CHECK: %[[WIDE:.*]] = net.cast %[[HALF]] to f32 : (tensor<4xf16>) -> tensor<4xf32>
    // CHECK: net.reduce_prod %[[WIDE]] over [0] : (tensor<4xf32>) -> tensor<f32>
    %all = net.reduce_prod %half over [0] : (tensor<4xf16>) -> tensor<f16>
    device.emit @r, %all : tensor<f16>
    device.yield
  }
}

// CHECK-LABEL: device.loop @wide
device.module @w {
  device.queue @wide columns ["x"] (tensor<4x8xf32>) depth(2)
  device.report @r : tensor<4xf32>
  device.loop @wide {mode = "train"} {
    %x = device.get_next @wide : tensor<4x8xf32>
    // CHECK-NOT: net.cast
    %sum = net.reduce_sum %x over [1] : (tensor<4x8xf32>) -> tensor<4xf32>
    device.emit @r, %sum : tensor<4xf32>
    device.yield
  }
}
