// RUN: plumb-opt %s --plumb-convert-tensors-to-buffers | FileCheck %s
//
// A call of a function of C takes contiguous inputs and writes whole outputs; it never shares an input's memory, nor is it the
// variable's that it is written to.

#source = #native.source<"f.c", "c", "">
// CHECK-LABEL: device.loop @train
// CHECK-DAG: %[[Y:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK-DAG: %[[S:.*]] = memref.alloc() : memref<i32>
// CHECK-DAG: %[[PART:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK-DAG: %[[W:.*]] = device.variable.view @w : memref<4x8xf32>
// CHECK: %[[VIEW:.*]] = memref.subview
// CHECK: linalg.copy ins(%[[VIEW]] : {{.*}}) outs(%[[PART]]
// CHECK: native.call "f" of #source ["float32", "float32", "float32"] ins(%[[PART]], %[[W]] : memref<4x8xf32>, memref<4x8xf32>) outs(%[[Y]], %[[S]] : memref<4x8xf32>, memref<i32>)
// CHECK: linalg.copy ins(%[[Y]] : memref<4x8xf32>) outs(%[[W]] : memref<4x8xf32>)
device.module @net {
  device.variable @w : tensor<4x8xf32> = dense<0.0> : tensor<4x8xf32>
  device.queue @train columns ["x"] (tensor<4x16xf32>) depth(4)
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<4x16xf32>
    %w = device.read @w : tensor<4x8xf32>
    %part = tensor.extract_slice %x[0, 0] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %s = tensor.empty() : tensor<i32>
    %y, %status = native.call "f" of #source ["float32", "float32", "float32"] ins(%part, %w : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%e, %s : tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>, tensor<i32>
    device.write @w, %y : tensor<4x8xf32>
    device.yield
  }
}
