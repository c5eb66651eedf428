// RUN: plumb-opt %s --plumb-convert-tensors-to-buffers --cse --split-input-file | FileCheck %s

// Tensors that are only inserted into another are computed in their place there: phases of two columns, one after the other.
// CHECK-LABEL: device.module @phases
// CHECK: %[[W:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK-DAG: %[[EVEN:.*]] = memref.subview %[[W]][0, 0] [4, 4] [1, 2] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 2]>>
// CHECK-DAG: %[[ODD:.*]] = memref.subview %[[W]][0, 1] [4, 4] [1, 2] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 2], offset: 1>>
// CHECK: linalg.exp ins({{.*}}) outs(%[[EVEN]]
// CHECK-NEXT: linalg.abs ins({{.*}}) outs(%[[ODD]]
// CHECK-NEXT: device.emit @w, %[[W]]
device.module @phases {
  device.queue @train columns ["x"] (tensor<4x4xf32>) depth(2)
  device.report @w : tensor<4x8xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %none = tensor.empty() : tensor<4x8xf32>
    %even = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %half = tensor.insert_slice %even into %none[0, 0] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
    %odd = linalg.abs ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %w = tensor.insert_slice %odd into %half[0, 1] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
    device.emit @w, %w : tensor<4x8xf32>
    device.yield
  }
}

// -----

// Both phases may come before both insertions, since they have nothing in common. Fills are part of a phase; so is a
// concatenation inside of one.
// CHECK-LABEL: device.module @early
// CHECK: %[[W:.*]] = memref.alloc() : memref<8x4xf32>
// CHECK-DAG: %[[LOW:.*]] = memref.subview %[[W]][4, 0] [4, 4] [1, 1]
// CHECK-DAG: %[[HIGH:.*]] = memref.subview %[[W]][0, 0] [4, 4] [1, 1]
// CHECK-DAG: %[[LEFT:.*]] = memref.subview %[[LOW]][0, 0] [4, 2] [1, 1]
// CHECK-NOT: linalg.copy
// CHECK: linalg.fill ins({{.*}}) outs(%[[LOW]]
// CHECK: linalg.exp ins({{.*}}) outs(%[[LEFT]]
// CHECK: linalg.fill ins({{.*}}) outs(%[[HIGH]]
// CHECK: linalg.matmul ins({{.*}}) outs(%[[HIGH]]
// CHECK-NEXT: device.emit @w, %[[W]]
device.module @early {
  device.queue @train columns ["x", "h"] (tensor<4x4xf32>, tensor<4x2xf32>) depth(2)
  device.report @w : tensor<8x4xf32>
  device.loop @train {mode = "train"} {
    %x, %h = device.get_next @train : tensor<4x4xf32>, tensor<4x2xf32>
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%one : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %eh = tensor.empty() : tensor<4x2xf32>
    %left = linalg.exp ins(%h : tensor<4x2xf32>) outs(%eh : tensor<4x2xf32>) -> tensor<4x2xf32>
    %low = tensor.insert_slice %left into %f[0, 0] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %high = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    %none = tensor.empty() : tensor<8x4xf32>
    %one_half = tensor.insert_slice %high into %none[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
    %w = tensor.insert_slice %low into %one_half[4, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
    device.emit @w, %w : tensor<8x4xf32>
    device.yield
  }
}

// -----

// What is needed elsewhere later, what would hide a value that is still read, and what comes before the filling of the
// whole is copied.
// CHECK-LABEL: device.module @copies
// CHECK: linalg.exp
// CHECK: linalg.copy
// CHECK: linalg.abs
// CHECK: linalg.copy
// CHECK: linalg.ceil
// CHECK: linalg.fill
// CHECK: linalg.copy
// CHECK: device.emit @w
device.module @copies {
  device.queue @train columns ["x"] (tensor<4x4xf32>) depth(2)
  device.report @p : tensor<4x4xf32>
  device.report @a : tensor<8x4xf32>
  device.report @b : tensor<8x4xf32>
  device.report @w : tensor<8x4xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<4x4xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4xf32>
    %none = tensor.empty() : tensor<8x4xf32>
    %p = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %a = tensor.insert_slice %p into %none[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
    device.emit @p, %p : tensor<4x4xf32>
    %q = linalg.abs ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    device.emit @a, %a : tensor<8x4xf32>
    %b = tensor.insert_slice %q into %a[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
    device.emit @b, %b : tensor<8x4xf32>
    %r = linalg.ceil ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %z = linalg.fill ins(%zero : f32) outs(%none : tensor<8x4xf32>) -> tensor<8x4xf32>
    %w = tensor.insert_slice %r into %z[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
    device.emit @w, %w : tensor<8x4xf32>
    device.yield
  }
}

// -----

// A step that leaves one element is none: dropped axes are told by their strides.
// CHECK-LABEL: device.module @one_element
// CHECK: memref.subview %{{.*}}[0, 0, 0] [3, 1, 1] [1, 1, 1] : memref<3x4x24xf32> to memref<3x1xf32, strided<[96, 24]>>
device.module @one_element {
  device.queue @train columns ["x"] (tensor<3x4x24xf32>) depth(2)
  device.report @w : tensor<3x1xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<3x4x24xf32>
    %s = tensor.extract_slice %x[0, 0, 0] [3, 1, 1] [1, 4, 1] : tensor<3x4x24xf32> to tensor<3x1xf32>
    %e = tensor.empty() : tensor<3x1xf32>
    %y = linalg.exp ins(%s : tensor<3x1xf32>) outs(%e : tensor<3x1xf32>) -> tensor<3x1xf32>
    device.emit @w, %y : tensor<3x1xf32>
    device.yield
  }
}

// -----

// Axes are dropped after the steps: beside axes of one element, the strides of the whole would not tell which.
// CHECK-LABEL: device.module @steps_and_dropped
// CHECK: %[[STEPS:.*]] = memref.subview %{{.*}}[0, 0, 0, 0] [1, 1, 2, 1] [1, 1, 2, 1] : memref<2x1x3x1xf32> to memref<1x1x2x1xf32, strided<[3, 3, 2, 1]>>
// CHECK: memref.subview %[[STEPS]][0, 0, 0, 0] [1, 1, 2, 1] [1, 1, 1, 1] : memref<1x1x2x1xf32, strided<[3, 3, 2, 1]>> to memref<1x2x1xf32, strided<[3, 2, 1]>>
device.module @steps_and_dropped {
  device.queue @train columns ["x"] (tensor<2x1x3x1xf32>) depth(2)
  device.report @w : tensor<1x2x1xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<2x1x3x1xf32>
    %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 2, 1] [1, 1, 2, 1] : tensor<2x1x3x1xf32> to tensor<1x2x1xf32>
    %e = tensor.empty() : tensor<1x2x1xf32>
    %y = linalg.exp ins(%s : tensor<1x2x1xf32>) outs(%e : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    device.emit @w, %y : tensor<1x2x1xf32>
    device.yield
  }
}
