// RUN: not plumbc %s --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s
// RUN: not test -e %t.plumb

// CHECK: has a pipeline that cannot be read
device.module @net attributes {arena_bytes = 64 : i64, variables_bytes = 64 : i64} {
  device.queue @train columns ["x"] (tensor<8xf32>) depth(4) {offsets = array<i64: 0>, slot_bytes = 64 : i64, pipeline = "{ nonsense"}
  device.loop @train {mode = "train", record_bytes = 8 : i64} {
    %x = device.get_next @train : memref<8xf32>
    device.yield
  }
}
