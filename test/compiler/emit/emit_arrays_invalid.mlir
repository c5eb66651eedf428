// RUN: not plumbc %s --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s
// RUN: sed 's/train.x> : tensor<2x4xi8>/train.y> : tensor<2x4xi8>/' %s | not plumbc - --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: sed 's/tensor<2x4xi8>/tensor<2x3xi8>/' %s | not plumbc - --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: sed 's/tensor<2x4xi8>/tensor<2x4xf32>/' %s | not plumbc - --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: sed 's/{x = dense/{z = dense/' %s | not plumbc - --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: sed 's/dense_resource<train.x> : tensor<2x4xi8>/1 : i8/' %s | not plumbc - --compile-from=lower -o %t.plumb 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not test -e %t.plumb

// CHECK: 'device.queue' op has no bytes, or not as many as its type 'tensor<2x4xi8>' says, for the rows of column 'x'
// ABSENT: 'device.queue' op has no bytes, or not as many as its type
// SHAPE: 'device.queue' op has rows of column 'x' of type 'tensor<2x3xi8>', which is not what its pipeline says
// ELEMENT: 'device.queue' op has rows of column 'x' of type 'tensor<2x4xf32>', which is not what its pipeline says
// COLUMN: 'device.queue' op has rows of a column 'z' that its pipeline does not read
// KIND: 'device.queue' op has rows of a column 'x' that are no tensor's elements
device.module @net attributes {arena_bytes = 64 : i64, variables_bytes = 64 : i64} {
  device.queue @train columns ["x"] (tensor<1x4xi8>) depth(4) {
    device.arrays = {x = dense_resource<train.x> : tensor<2x4xi8>},
    offsets = array<i64: 0>, slot_bytes = 64 : i64,
    pipeline = "{\"source_type\": \"ArraySource\", \"source\": {\"columns\": [{\"name\": \"x\", \"element\": \"i8\", \"shape\": [4]}]}, \"nodes\": [{\"node_type\": \"Batch\", \"node\": {\"size\": 1}}]}"}
  device.loop @train {mode = "train", record_bytes = 8 : i64} {
    %x = device.get_next @train : memref<1x4xi8>
    device.yield
  }
}

{-#
  dialect_resources: {
    builtin: {
      train.x: "0x4000000001020304050607"
    }
  }
#-}
