// A step of 600 calls of one kernel is a loop that calls five functions, each with 128 calls or what is left.
// RUN: awk '{ print } /^    linalg.fill/ { for (i = 0; i < 600; ++i) \
// RUN:   print "linalg.dot ins(%x, %w : memref<8xf32>, memref<8xf32>) outs(%loss : memref<f32>)" }' %s > %t.mlir
// RUN: plumbc %t.mlir --compile-from=lower --target-cpu=x86-64-v3 --emit=llvm -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: grep -c "call void @product_by_8" %t.ll | FileCheck %s --check-prefix=COUNT

// CHECK: define {{.*}}@plumb_loop_train(
// CHECK-COUNT-5: call void @plumb_loop_train.calls{{[.0-9]*}}(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}){{$}}
// CHECK-NOT: call void @plumb_loop_train.calls
// CHECK: define {{.*}}@product_by_8(
// CHECK: define internal void @plumb_loop_train.calls{{[.0-9]*}}(ptr
// COUNT: 600
device.module @net attributes {arena_bytes = 64 : i64, variables_bytes = 64 : i64} {
  device.variable @w : tensor<8xf32> = dense<1.0> : tensor<8xf32> {offset = 0 : i64}
  device.queue @train columns ["x"] (tensor<8xf32>) depth(4) {offsets = array<i64: 0>, slot_bytes = 64 : i64}
  device.report @loss : tensor<f32> {offset = 8 : i64}
  device.loop @train {mode = "train", record_bytes = 16 : i64} {
    %x = device.get_next @train : memref<8xf32>
    %w = device.variable.view @w : memref<8xf32>
    %loss = device.arena.view offset 0 : memref<f32>
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%loss : memref<f32>)
    device.emit @loss, %loss : memref<f32>
    device.yield
  }
}
