// RUN: plumb-opt %s | plumb-opt | FileCheck %s
//
// Calls of functions of a source, on tensors and on buffers: syntax survives printing and parsing; the source stands once.

// CHECK: #source = #native.source<"f.c", "c", "int f() { return 0; }\0A">
#source = #native.source<"f.c", "c", "int f() { return 0; }\0A">

// CHECK-LABEL: func.func @tensors(
func.func @tensors(%x: tensor<4xui8>, %e: tensor<4xf32>, %s: tensor<i32>) -> tensor<4xf32> {
  // CHECK: native.call "f" of #source ["uint8", "float32"] ins(%{{.*}} : tensor<4xui8>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<i32>) -> tensor<4xf32>, tensor<i32>
  %y, %status = native.call "f" of #source ["uint8", "float32"] ins(%x : tensor<4xui8>)
    outs(%e, %s : tensor<4xf32>, tensor<i32>) -> tensor<4xf32>, tensor<i32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%y: memref<4xf32>, %s: memref<i32>) {
  // CHECK: native.call "f" of #source ["float32"] ins() outs(%{{.*}}, %{{.*}} : memref<4xf32>, memref<i32>)
  native.call "f" of #source ["float32"] ins() outs(%y, %s : memref<4xf32>, memref<i32>)
  return
}
