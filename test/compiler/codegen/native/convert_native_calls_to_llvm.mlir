// RUN: plumb-opt %s --plumb-convert-native-calls-to-llvm | FileCheck %s
//
// One declaration per function of a source, one caller per set of shapes and dtypes, with a frame of its own.

// CHECK: llvm.mlir.global private constant @plumb_dtype_uint8("uint8\00")
// CHECK: llvm.func @plumb_loop
// CHECK: %[[X:.*]] = llvm.inttoptr
// CHECK: %[[Y:.*]] = llvm.inttoptr
// CHECK: %[[S:.*]] = llvm.inttoptr
// CHECK: llvm.call @plumb_call_f(%[[X]], %[[Y]], %[[S]])
// CHECK: llvm.call @plumb_call_f(
// CHECK: llvm.call @plumb_call_f_{{[0-9]}}(
// CHECK: llvm.func @plumb_native_f(i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 attributes {native.function = "f", native.source = #source}
// CHECK: llvm.func @plumb_call_f(%[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr)
// CHECK: llvm.alloca
// CHECK: llvm.store %[[A]]
// CHECK: llvm.store %[[B]]
// CHECK: %[[R:.*]] = llvm.call @plumb_native_f(
// CHECK: llvm.store %[[R]], %[[C]]
// CHECK: llvm.return
// CHECK-NOT: llvm.func @plumb_native_f_
#source = #native.source<"f.c", "c", "">
device.module @net {
  llvm.func @plumb_loop() {
    %x = memref.alloc() : memref<4xi8>
    %y = memref.alloc() : memref<2x3xf32>
    %z = memref.alloc() : memref<6xf32>
    %s = memref.alloc() : memref<i32>
    native.call "f" of #source ["uint8", "float32"] ins(%x : memref<4xi8>) outs(%y, %s : memref<2x3xf32>, memref<i32>)
    native.call "f" of #source ["uint8", "float32"] ins(%x : memref<4xi8>) outs(%y, %s : memref<2x3xf32>, memref<i32>)
    native.call "f" of #source ["uint8", "float32"] ins(%x : memref<4xi8>) outs(%z, %s : memref<6xf32>, memref<i32>)
    llvm.return
  }
}
