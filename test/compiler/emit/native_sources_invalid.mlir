// RUN: not plumbc %s --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s
// RUN: not test -e %t.plumb

// More reasons: test/python/custom_operators_test.py
// CHECK: the custom operator 'f' calls 'getpid', which is none of the functions that an executable may call
device.module @net attributes {arena_bytes = 128 : i64, variables_bytes = 64 : i64} {
  device.loop @train {mode = "train", record_bytes = 8 : i64} {
    %y = device.arena.view offset 0 : memref<i32>
    %status = device.arena.view offset 64 : memref<i32>
    native.call "f" of #native.source<"f.c", "c", "#include <stdint.h>\0Aint getpid(void);\0Aint f(int n, void **p, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) { return getpid(); }\0A"> ["int32"]
        ins() outs(%y, %status : memref<i32>, memref<i32>)
    device.yield
  }
}
