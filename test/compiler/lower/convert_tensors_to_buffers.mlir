// RUN: plumb-opt %s --plumb-convert-tensors-to-buffers --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// The next value is computed in the variable; a dying input's buffer is used again.
// CHECK-LABEL: device.module @in_place
// CHECK: %[[W:.*]] = device.variable.view @w : memref<4xf32>
// CHECK: %[[X:.*]] = device.get_next @q : memref<4xf32>
// CHECK: linalg.exp ins(%[[X]] : memref<4xf32>) outs(%[[A:.*]] : memref<4xf32>)
// CHECK: linalg.exp ins(%[[A]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK: linalg.add ins(%[[V:.*]], %[[A]] : memref<4xf32>, memref<4xf32>) outs(%[[W]] : memref<4xf32>)
// CHECK-NOT: linalg.copy
// CHECK: device.emit @a, %[[A]]
device.module @in_place {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.queue @q columns ["x"] (tensor<4xf32>) depth(2)
  device.report @a : tensor<4xf32>
  device.loop @l {mode = "train"} {
    %x = device.get_next @q : tensor<4xf32>
    %w = device.read @w : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %b = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %n = linalg.add ins(%w, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    device.write @w, %n : tensor<4xf32>
    device.emit @a, %b : tensor<4xf32>
    device.yield
  }
}

// -----

// The old value is needed after the new one exists, through a view: the new one waits in a buffer of its own.
// CHECK-LABEL: device.module @late_reader
// CHECK-DAG: %[[N:.*]] = memref.alloc() : memref<4xf32>
// CHECK-DAG: %[[W:.*]] = device.variable.view @w
// CHECK: memref.expand_shape
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[N]]
// CHECK: linalg.exp ins(%{{.*}} : memref<2x2xf32>)
// CHECK: linalg.copy ins(%[[N]] : memref<4xf32>) outs(%[[W]] : memref<4xf32>)
device.module @late_reader {
  device.variable @w : tensor<4xf32> = #device.init<"one", []>
  device.report @a : tensor<2x2xf32>
  device.loop @l {mode = "train"} {
    %w = device.read @w : tensor<4xf32>
    %s = tensor.expand_shape %w [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %e = tensor.empty() : tensor<4xf32>
    %f = tensor.empty() : tensor<2x2xf32>
    %n = linalg.exp ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %a = linalg.exp ins(%s : tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    device.write @w, %n : tensor<4xf32>
    device.emit @a, %a : tensor<2x2xf32>
    device.yield
  }
}

// -----

// Two variables change places: one old value is saved first.
// CHECK-LABEL: device.module @swap
// CHECK-DAG: %[[T:.*]] = memref.alloc() : memref<4xf32>
// CHECK-DAG: %[[A:.*]] = device.variable.view @a
// CHECK-DAG: %[[B:.*]] = device.variable.view @b
// CHECK: linalg.copy ins(%[[A]] : memref<4xf32>) outs(%[[T]] : memref<4xf32>)
// CHECK: linalg.copy ins(%[[B]] : memref<4xf32>) outs(%[[A]] : memref<4xf32>)
// CHECK: linalg.copy ins(%[[T]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
device.module @swap {
  device.variable @a : tensor<4xf32> = #device.init<"one", []>
  device.variable @b : tensor<4xf32> = #device.init<"zero", []>
  device.loop @l {mode = "train"} {
    %a = device.read @a : tensor<4xf32>
    %b = device.read @b : tensor<4xf32>
    device.write @a, %b : tensor<4xf32>
    device.write @b, %a : tensor<4xf32>
    device.yield
  }
}

// -----

// Slices, constants, scalars.
// CHECK-LABEL: device.module @shapes
// CHECK: memref.global "private" constant @constant : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK: linalg.fill ins({{.*}}) outs(%[[D:.*]] : memref<6xf32>)
// CHECK: %[[P:.*]] = memref.subview %[[D]][2] [2] [1]
// CHECK: linalg.copy ins(%{{.*}} : memref<2xf32>) outs(%[[P]] : memref<2xf32, strided<[1], offset: 2>>)
// CHECK: memref.load %[[D]]
// CHECK: memref.store
device.module @shapes {
  device.report @d : tensor<6xf32>
  device.report @s : tensor<f32>
  device.loop @l {mode = "eval"} {
    %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %z = arith.constant 0.0 : f32
    %i = arith.constant 2 : index
    %e = tensor.empty() : tensor<6xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    %d = tensor.insert_slice %c into %f[2] [2] [1] : tensor<2xf32> into tensor<6xf32>
    %x = tensor.extract %d[%i] : tensor<6xf32>
    %s = tensor.from_elements %x : tensor<f32>
    device.emit @d, %d : tensor<6xf32>
    device.emit @s, %s : tensor<f32>
    device.yield
  }
}

// -----

// Memory knows no signs.
// CHECK-LABEL: device.module @unsigned
// CHECK: %[[X:.*]] = device.get_next @q : memref<4xi8>
// CHECK: device.emit @y, %[[X]] : memref<4xi8>
device.module @unsigned {
  device.queue @q columns ["x"] (tensor<4xui8>) depth(2)
  device.report @y : tensor<4xi8>
  device.loop @l {mode = "eval"} {
    %x = device.get_next @q : tensor<4xui8>
    %b = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
    device.emit @y, %b : tensor<4xi8>
    device.yield
  }
}

// -----

#id = affine_map<(d0) -> (d0)>

// Bodies see what lies in memory.
// CHECK-LABEL: device.module @unsigned_body
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<4xi8>) outs(%{{.*}} : memref<4xi8>)
// CHECK: ^bb0(%[[A:.*]]: i8, %{{.*}}: i8):
// CHECK: linalg.yield %[[A]] : i8
device.module @unsigned_body {
  device.queue @q columns ["x"] (tensor<4xui8>) depth(2)
  device.report @y : tensor<4xui8>
  device.loop @l {mode = "eval"} {
    %x = device.get_next @q : tensor<4xui8>
    %e = tensor.empty() : tensor<4xui8>
    %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xui8>) outs(%e : tensor<4xui8>) {
    ^bb0(%a : ui8, %o : ui8):
      linalg.yield %a : ui8
    } -> tensor<4xui8>
    device.emit @y, %b : tensor<4xui8>
    device.yield
  }
}

// -----

// A pad that a sum of products reads is a view; one that anything else reads is memory.
// CHECK-LABEL: device.module @pads
// CHECK: %[[W:.*]] = memref.alloc() : memref<6xf32>
// CHECK: %[[X:.*]]:2 = device.get_next @q
// CHECK: %[[H:.*]] = device.halo %[[X]]#0 low [1] high [1] : memref<4xf32> to memref<6xf32, strided<[1]>>
// CHECK: linalg.generic {{.*}} ins(%[[H]], %[[X]]#1 :
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[W]] : memref<6xf32>)
// CHECK: %[[I:.*]] = memref.subview %[[W]][2] [4] [1]
// CHECK: linalg.copy ins(%[[X]]#0 : memref<4xf32>) outs(%[[I]]
device.module @pads {
  device.queue @q columns ["x", "k"] (tensor<4xf32>, tensor<3xf32>) depth(2)
  device.report @y : tensor<4xf32>
  device.report @z : tensor<6xf32>
  device.loop @l {mode = "eval"} {
    %x, %k = device.get_next @q : tensor<4xf32>, tensor<3xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %p = tensor.pad %x low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %zero : f32
    } : tensor<4xf32> to tensor<6xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(h, i) -> (h + i)>, affine_map<(h, i) -> (i)>, affine_map<(h, i) -> (h)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%p, %k : tensor<6xf32>, tensor<3xf32>) outs(%f : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %c, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    %z = tensor.pad %x low[2] high[0] {
    ^bb0(%i: index):
      tensor.yield %zero : f32
    } : tensor<4xf32> to tensor<6xf32>
    device.emit @y, %y : tensor<4xf32>
    device.emit @z, %z : tensor<6xf32>
    device.yield
  }
}
