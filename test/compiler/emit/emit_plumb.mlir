// RUN: plumbc %s --compile-from=lower --target-cpu=x86-64-v3 -o %t.plumb
// RUN: /usr/lib/llvm-22/bin/llvm-readelf -S --dyn-syms -d %t.plumb | FileCheck %s
// RUN: plumbc %s --compile-from=lower --target-cpu=x86-64-v4 --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.ll

// A section for the manifest, one exported function, no library.
// CHECK: .plumb.manifest
// CHECK: .text
// CHECK-NOT: NEEDED
// CHECK: plumb_executable_query
// LLVM: define {{.*}} @plumb_loop_train(
// LLVM: "prefer-vector-width"="512"{{.*}} "stackrealign"
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
    linalg.dot ins(%x, %w : memref<8xf32>, memref<8xf32>) outs(%loss : memref<f32>)
    device.emit @loss, %loss : memref<f32>
    device.yield
  }
}
