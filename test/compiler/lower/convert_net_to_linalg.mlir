// RUN: plumb-opt %s --plumb-convert-net-to-linalg | FileCheck %s

// Maps of the last loop, which a module's text begins with.
// CHECK-DAG: #[[SLIDE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
// CHECK-DAG: #[[BACKWARD:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + -d4 + 2, d3 + -d5 + 2)>
// CHECK-DAG: #[[TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d4, d5)>

// CHECK-LABEL: device.loop @train
device.module @m {
  device.variable @w : tensor<3x4xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<2x4xf32>) depth(2)
  device.report @y : tensor<2x3xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<2x4xf32>
    %w = device.read @w : tensor<3x4xf32>
    // CHECK: arith.constant 5.000000e-01 : f32
    %h = net.constant dense<0.5> : tensor<2x3xf32>
    // CHECK: linalg.fill
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
    %p = net.matmul %x, %w {transpose_b = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
    // CHECK: arith.addf
    %s = net.add %p, %h : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    // Arithmetic on whole tensors, and named operations, are generics as well.
    // CHECK: linalg.generic
    // CHECK: arith.mulf
    %t = arith.mulf %s, %s : tensor<2x3xf32>
    %e = tensor.empty() : tensor<2x3xf32>
    // CHECK-NOT: linalg.add
    // CHECK: linalg.generic
    %r = linalg.add ins(%t, %s : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
    // Exponentials are multiplied; what is divided is one number for each row.
    // CHECK: math.exp
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
    // CHECK: arith.divf
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
    // CHECK-NOT: arith.divf
    // CHECK: arith.mulf
    %q = net.softmax %r axis -1 : tensor<2x3xf32>
    device.emit @y, %q : tensor<2x3xf32>
    // CHECK-NOT: net.
    device.yield
  }
}

// Unsigned numbers are computed with as signless bits; the operation knows their meaning.

// CHECK-LABEL: device.loop @bytes
device.module @unsigned {
  device.queue @bytes columns ["x", "y"] (tensor<4xui8>, tensor<4xui8>) depth(2)
  device.report @z : tensor<4xui8>
  device.loop @bytes {mode = "predict"} {
    %x, %y = device.get_next @bytes : tensor<4xui8>, tensor<4xui8>
    // CHECK: tensor.bitcast %{{.*}} : tensor<4xui8> to tensor<4xi8>
    // CHECK: linalg.generic
    // CHECK: arith.divui
    %z = net.floor_div %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
    // A choice knows no signs either.
    // CHECK: linalg.generic
    // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i8
    // CHECK: tensor.bitcast %{{.*}} : tensor<4xi8> to tensor<4xui8>
    %less = net.less %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
    %w = arith.select %less, %z, %x : tensor<4xi1>, tensor<4xui8>
    device.emit @z, %w : tensor<4xui8>
    device.yield
  }
}

// Neither do rows, read and written, at a place that the run decides.

// CHECK-LABEL: device.loop @rows
device.module @unsigned_rows {
  device.queue @rows columns ["x", "i"] (tensor<4x3xui8>, tensor<i64>) depth(2)
  device.report @z : tensor<4x3xui8>
  device.loop @rows {mode = "predict"} {
    %x, %i = device.get_next @rows : tensor<4x3xui8>, tensor<i64>
    %place = tensor.extract %i[] : tensor<i64>
    %at = arith.index_cast %place : i64 to index
    // CHECK: tensor.extract_slice %{{.*}} : tensor<4x3xi8> to tensor<3xi8>
    // CHECK: tensor.insert_slice %{{.*}} : tensor<3xi8> into tensor<4x3xi8>
    %row = net.row %x[%at] : (tensor<4x3xui8>, index) -> tensor<3xui8>
    %y = net.row_update %row into %x[%at] : (tensor<3xui8>, tensor<4x3xui8>, index) -> tensor<4x3xui8>
    device.emit @z, %y : tensor<4x3xui8>
    device.yield
  }
}

// Extents of 0 have no grouping: a tensor without elements is made anew.

// CHECK-LABEL: device.loop @nothing
device.module @empty {
  device.queue @nothing columns ["x"] (tensor<2x3xf32>) depth(2)
  device.report @z : tensor<3x0xf32>
  device.loop @nothing {mode = "predict"} {
    %x = device.get_next @nothing : tensor<2x3xf32>
    %none = net.constant dense<0.0> : tensor<0x3xf32>
    // CHECK: tensor.empty() : tensor<3x0xf32>
    // CHECK-NOT: tensor.collapse_shape
    %y = net.reshape %none to [3, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
    device.emit @z, %y : tensor<3x0xf32>
    device.yield
  }
}

// A slice without elements may begin where the tensor ends, where `tensor.extract_slice` has no position.

// CHECK-LABEL: device.loop @end
device.module @behind {
  device.queue @end columns ["x"] (tensor<2x3xf32>) depth(2)
  device.report @z : tensor<2x0xf32>
  device.loop @end {mode = "predict"} {
    %x = device.get_next @end : tensor<2x3xf32>
    // CHECK: tensor.empty() : tensor<2x0xf32>
    // CHECK-NOT: tensor.extract_slice
    %y = net.slice %x from [0, 3] to [2, 3] by [1, 1] : (tensor<2x3xf32>) -> tensor<2x0xf32>
    device.emit @z, %y : tensor<2x0xf32>
    device.yield
  }
}

// A depthwise convolution's channels are one loop of image, kernel and result, and no axis is split.

// CHECK-LABEL: device.loop @depthwise
device.module @channelwise {
  device.queue @depthwise columns ["x", "w"] (tensor<2x16x5x5xf32>, tensor<16x1x3x3xf32>) depth(2)
  device.report @y : tensor<2x16x3x3xf32>
  device.report @dw : tensor<16x1x3x3xf32>
  device.report @dx : tensor<2x16x5x5xf32>
  device.loop @depthwise {mode = "predict"} {
    // CHECK: %[[X:.*]]:2 = device.get_next @depthwise
    %x, %w = device.get_next @depthwise : tensor<2x16x5x5xf32>, tensor<16x1x3x3xf32>
    // CHECK: %[[W:.*]] = tensor.collapse_shape %[[X]]#1 {{.*}} into tensor<16x3x3xf32>
    // CHECK: linalg.generic {indexing_maps = [#[[SLIDE]], #[[TAPS]], {{.*}} ins(%[[X]]#0, %[[W]] : tensor<2x16x5x5xf32>, tensor<16x3x3xf32>) outs({{.*}} : tensor<2x16x3x3xf32>)
    %y = net.conv2d %x, %w stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 16 : (tensor<2x16x5x5xf32>, tensor<16x1x3x3xf32>) -> tensor<2x16x3x3xf32>
    // CHECK: %[[DW:.*]] = linalg.generic {{.*}} ins(%[[X]]#0, %{{.*}} : tensor<2x16x5x5xf32>, tensor<2x16x3x3xf32>) outs({{.*}} : tensor<16x3x3xf32>)
    // CHECK: tensor.expand_shape %[[DW]] {{.*}} into tensor<16x1x3x3xf32>
    %dw = net.conv2d_weight_grad %x, %y of [16, 1, 3, 3] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 16 : (tensor<2x16x5x5xf32>, tensor<2x16x3x3xf32>) -> tensor<16x1x3x3xf32>
    // CHECK: linalg.generic {indexing_maps = [#[[BACKWARD]], #[[TAPS]], {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x16x7x7xf32>, tensor<16x3x3xf32>) outs({{.*}} : tensor<2x16x5x5xf32>)
    %dx = net.conv2d_input_grad %y, %w of [2, 16, 5, 5] stride [1, 1] pad [0, 0, 0, 0] dilation [1, 1] group 16 : (tensor<2x16x3x3xf32>, tensor<16x1x3x3xf32>) -> tensor<2x16x5x5xf32>
    device.emit @y, %y : tensor<2x16x3x3xf32>
    device.emit @dw, %dw : tensor<16x1x3x3xf32>
    device.emit @dx, %dx : tensor<2x16x5x5xf32>
    device.yield
  }
}
