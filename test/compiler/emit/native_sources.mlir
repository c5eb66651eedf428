// RUN: plumbc %s --compile-from=lower --target-cpu=x86-64-v3 -o %t.plumb
// RUN: /usr/lib/llvm-22/bin/llvm-readelf -S --dyn-syms -d %t.plumb | FileCheck %s
// RUN: plumbc %s --compile-from=lower --target-cpu=x86-64-v3 -o %t.again.plumb
// RUN: cmp %t.plumb %t.again.plumb
// RUN: not plumbc %s --compile-from=lower --emit=obj -o %t.o 2>&1 | FileCheck %s --check-prefix=OBJ

// Still one exported function, and equal bytes for equal programs.
// CHECK: .plumb.manifest
// CHECK-NOT: .init_array
// CHECK-NOT: scale
// CHECK: plumb_executable_query
// CHECK-NOT: scale
// OBJ: calls functions of sources, which are objects of their own; emit an executable
#source = #native.source<"scale.c", "c", "#include <stdint.h>\0Aint scale(int n, void **p, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) { for (int i = 0; i < 8; ++i) ((float *)p[1])[i] = 2 * ((float *)p[0])[i]; return 0; }\0A">
device.module @net attributes {arena_bytes = 128 : i64, variables_bytes = 64 : i64} {
  device.queue @train columns ["x"] (tensor<8xf32>) depth(4) {offsets = array<i64: 0>, slot_bytes = 64 : i64}
  device.report @y : tensor<8xf32> {offset = 8 : i64}
  device.loop @train {mode = "train", record_bytes = 40 : i64} {
    %x = device.get_next @train : memref<8xf32>
    %y = device.arena.view offset 0 : memref<8xf32>
    %status = device.arena.view offset 64 : memref<i32>
    native.call "scale" of #source ["float32", "float32"] ins(%x : memref<8xf32>) outs(%y, %status : memref<8xf32>, memref<i32>)
    device.emit @y, %y : memref<8xf32>
    device.yield
  }
}
