// RUN: plumb-opt %s --plumb-unfold-convolutions | FileCheck %s

// Convolutions of few windows and their adjoints are products with the kernel as a matrix. The image's rows and columns
// of a stride are slices; what lies within the pads is zero, and gets no adjoint.

// CHECK-LABEL: device.loop @strided
// CHECK-NOT: net.conv2d
device.module @m {
  device.queue @strided columns ["x", "w"] (tensor<1x2x3x3xf32>, tensor<32x2x2x2xf32>) depth(2)
  device.report @y : tensor<1x32x2x2xf32>
  device.report @dw : tensor<32x2x2x2xf32>
  device.report @dx : tensor<1x2x3x3xf32>
  device.loop @strided {mode = "train"} {
    %x, %w = device.get_next @strided : tensor<1x2x3x3xf32>, tensor<32x2x2x2xf32>
    // CHECK: %[[X:.*]]:2 = device.get_next @strided
    // CHECK: %[[PADDED:.*]] = net.pad %[[X]]#0 low [0, 0, 1, 0] high [0, 0, 0, 1] value 0.000000e+00 : (tensor<1x2x3x3xf32>) -> tensor<1x2x4x4xf32>
    // CHECK: %[[S0:.*]] = net.slice %[[PADDED]] from [0, 0, 0, 0] to [1, 2, 3, 3] by [1, 1, 2, 2] : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
    // CHECK: %[[S1:.*]] = net.slice %[[PADDED]] from [0, 0, 0, 1] to [1, 2, 3, 4] by [1, 1, 2, 2]
    // CHECK: %[[S2:.*]] = net.slice %[[PADDED]] from [0, 0, 1, 0] to [1, 2, 4, 3] by [1, 1, 2, 2]
    // CHECK: %[[S3:.*]] = net.slice %[[PADDED]] from [0, 0, 1, 1] to [1, 2, 4, 4] by [1, 1, 2, 2]
    // CHECK: %[[STACKED:.*]] = net.stack %[[S0]], %[[S1]], %[[S2]], %[[S3]] axis 2 : {{.*}} -> tensor<1x2x4x2x2xf32>
    // CHECK: %[[MOVED:.*]] = net.transpose %[[STACKED]] perm [0, 3, 4, 1, 2]
    // CHECK: %[[COLUMNS:.*]] = net.reshape %[[MOVED]] to [4, 8]
    // CHECK: %[[KERNEL:.*]] = net.reshape %[[X]]#1 to [32, 8]
    // CHECK: %[[ROWS:.*]] = net.matmul %[[COLUMNS]], %[[KERNEL]] {transpose_b = true} : (tensor<4x8xf32>, tensor<32x8xf32>) -> tensor<4x32xf32>
    // CHECK: %[[IMAGE:.*]] = net.reshape %[[ROWS]] to [1, 2, 2, 32]
    // CHECK: %[[Y:.*]] = net.transpose %[[IMAGE]] perm [0, 3, 1, 2] : (tensor<1x2x2x32xf32>) -> tensor<1x32x2x2xf32>
    %y = net.conv2d %x, %w stride [2, 2] pad [1, 0, 0, 1] dilation [1, 1] group 1 : (tensor<1x2x3x3xf32>, tensor<32x2x2x2xf32>) -> tensor<1x32x2x2xf32>
    // CHECK: %[[MOVED:.*]] = net.transpose %[[Y]] perm [0, 2, 3, 1]
    // CHECK: %[[DY:.*]] = net.reshape %[[MOVED]] to [4, 32]
    // CHECK: %[[COLUMNS:.*]] = net.reshape %{{.*}} to [4, 8]
    // CHECK: %[[DK:.*]] = net.matmul %[[DY]], %[[COLUMNS]] {transpose_a = true} : (tensor<4x32xf32>, tensor<4x8xf32>) -> tensor<32x8xf32>
    // CHECK: net.reshape %[[DK]] to [32, 2, 2, 2]
    %dw = net.conv2d_weight_grad %x, %y of [32, 2, 2, 2] stride [2, 2] pad [1, 0, 0, 1] dilation [1, 1] group 1 : (tensor<1x2x3x3xf32>, tensor<1x32x2x2xf32>) -> tensor<32x2x2x2xf32>
    // CHECK: %[[DC:.*]] = net.matmul %{{.*}}, %{{.*}} : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
    // CHECK: %[[WINDOWS:.*]] = net.reshape %[[DC]] to [1, 2, 2, 2, 4]
    // CHECK: %[[BOXES:.*]] = net.transpose %[[WINDOWS]] perm [4, 0, 3, 1, 2]
    // CHECK: net.slice %[[BOXES]] from [0] to [1] by [1]
    // CHECK: %[[P0:.*]] = net.slice_grad %{{.*}} into [1, 2, 4, 4] from [0, 0, 0, 0] by [1, 1, 2, 2]
    // CHECK: %[[P1:.*]] = net.slice_grad %{{.*}} into [1, 2, 4, 4] from [0, 0, 0, 1] by [1, 1, 2, 2]
    // CHECK: %[[A1:.*]] = net.add %[[P0]], %[[P1]]
    // CHECK: %[[P2:.*]] = net.slice_grad %{{.*}} into [1, 2, 4, 4] from [0, 0, 1, 0] by [1, 1, 2, 2]
    // CHECK: %[[A2:.*]] = net.add %[[A1]], %[[P2]]
    // CHECK: %[[P3:.*]] = net.slice_grad %{{.*}} into [1, 2, 4, 4] from [0, 0, 1, 1] by [1, 1, 2, 2]
    // CHECK: %[[A3:.*]] = net.add %[[A2]], %[[P3]]
    // CHECK: net.slice %[[A3]] from [0, 0, 1, 0] to [1, 2, 4, 3] by [1, 1, 1, 1] : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xf32>
    %dx = net.conv2d_input_grad %y, %w of [1, 2, 3, 3] stride [2, 2] pad [1, 0, 0, 1] dilation [1, 1] group 1 : (tensor<1x32x2x2xf32>, tensor<32x2x2x2xf32>) -> tensor<1x2x3x3xf32>
    device.emit @y, %y : tensor<1x32x2x2xf32>
    device.emit @dw, %dw : tensor<32x2x2x2xf32>
    device.emit @dx, %dx : tensor<1x2x3x3xf32>
    device.yield
  }
}

// Too many windows, groups, a batch that fills vectors, and kernels of many elements stay.

// CHECK-LABEL: device.loop @stay
// CHECK: net.conv2d {{.*}} group 1 : {{.*}} -> tensor<1x32x1x5xf32>
// CHECK: net.conv2d {{.*}} group 2 : {{.*}} -> tensor<1x32x1x4xf32>
// CHECK: net.conv2d {{.*}} -> tensor<16x128x1x1xf32>
// CHECK: net.conv2d {{.*}} -> tensor<1x32x1x1xf32>
device.module @n {
  device.queue @stay columns ["a", "b", "c", "d", "u", "v", "w"] (tensor<1x2x1x5xf32>, tensor<1x4x1x4xf32>, tensor<16x2x1x1xf32>, tensor<1x2x5x13xf32>, tensor<32x2x1x1xf32>, tensor<128x2x1x1xf32>, tensor<32x2x5x13xf32>) depth(2)
  device.report @windows : tensor<1x32x1x5xf32>
  device.report @groups : tensor<1x32x1x4xf32>
  device.report @batch : tensor<16x128x1x1xf32>
  device.report @elements : tensor<1x32x1x1xf32>
  device.loop @stay {mode = "train"} {
    %a, %b, %c, %d, %u, %v, %w = device.get_next @stay : tensor<1x2x1x5xf32>, tensor<1x4x1x4xf32>, tensor<16x2x1x1xf32>, tensor<1x2x5x13xf32>, tensor<32x2x1x1xf32>, tensor<128x2x1x1xf32>, tensor<32x2x5x13xf32>
    %0 = net.conv2d %a, %u stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x2x1x5xf32>, tensor<32x2x1x1xf32>) -> tensor<1x32x1x5xf32>
    %1 = net.conv2d %b, %u stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 2 : (tensor<1x4x1x4xf32>, tensor<32x2x1x1xf32>) -> tensor<1x32x1x4xf32>
    %2 = net.conv2d %c, %v stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<16x2x1x1xf32>, tensor<128x2x1x1xf32>) -> tensor<16x128x1x1xf32>
    %3 = net.conv2d %d, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 1 : (tensor<1x2x5x13xf32>, tensor<32x2x5x13xf32>) -> tensor<1x32x1x1xf32>
    device.emit @windows, %0 : tensor<1x32x1x5xf32>
    device.emit @groups, %1 : tensor<1x32x1x4xf32>
    device.emit @batch, %2 : tensor<16x128x1x1xf32>
    device.emit @elements, %3 : tensor<1x32x1x1xf32>
    device.yield
  }
}
