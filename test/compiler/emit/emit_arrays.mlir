// Rows that lie in the program's memory go into the manifest as bytes, from the text or by way of printed IR.
// RUN: plumbc %s --compile-from=lower -o %t.plumb
// RUN: plumbc %s --compile-from=sink --compile-to=lower -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: plumbc %t.mlir --compile-from=lower -o %t2.plumb
// RUN: /usr/lib/llvm-22/bin/llvm-readelf -p .plumb.manifest %t.plumb | FileCheck %s --check-prefix=BYTES
// RUN: /usr/lib/llvm-22/bin/llvm-readelf -p .plumb.manifest %t2.plumb | FileCheck %s --check-prefix=BYTES

// CHECK: device.arrays = {x = dense_resource<train.x> : tensor<2x16xi8>}
// CHECK: "train.x": "0x
// CHECK-SAME: 54686973206973206E6F206A736F6E2C20627574206279746573
// BYTES: This is no json, but bytes, rows
device.module @net attributes {arena_bytes = 64 : i64, variables_bytes = 64 : i64} {
  device.queue @train columns ["x"] (tensor<1x16xi8>) depth(4) {
    device.arrays = {x = dense_resource<train.x> : tensor<2x16xi8>},
    offsets = array<i64: 0>, slot_bytes = 64 : i64,
    pipeline = "{\"source_type\": \"ArraySource\", \"source\": {\"columns\": [{\"name\": \"x\", \"element\": \"i8\", \"shape\": [16]}]}, \"nodes\": [{\"node_type\": \"Batch\", \"node\": {\"size\": 1}}]}"}
  device.loop @train {mode = "train", record_bytes = 8 : i64} {
    %x = device.get_next @train : memref<1x16xi8>
    device.yield
  }
}

{-#
  dialect_resources: {
    builtin: {
      train.x: "0x4000000054686973206973206E6F206A736F6E2C206275742062797465732C20726F7773"
    }
  }
#-}
