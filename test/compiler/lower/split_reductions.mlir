// RUN: plumb-opt %s --plumb-split-reductions=target-cpu=x86-64-v4 --split-input-file | FileCheck %s
// RUN: plumb-opt %s --plumb-split-reductions=target-cpu=x86-64-v3 --split-input-file | FileCheck %s --check-prefix=SMALL

#id = affine_map<(n, h, c) -> (n, h, c)>
#c = affine_map<(n, h, c) -> (c)>

// Each image has a sum and a maximum of its own, which start from what changes nothing.
// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[CHANNEL:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: device.module @images
// CHECK-DAG: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG: %[[NOTHING:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[S:.*]] = linalg.fill ins(%[[NOTHING]] : f32) outs(%{{.*}} : tensor<16x8xf32>)
// CHECK: %[[M:.*]] = linalg.fill ins(%[[LEAST]] : f32) outs(%{{.*}} : tensor<16x8xf32>)
// CHECK: %[[P:.*]]:2 = linalg.generic {indexing_maps = [#{{.*}}, #[[IMAGE]], #[[IMAGE]]], iterator_types = ["parallel", "reduction", "parallel"]} ins(%{{.*}} : tensor<16x512x8xf32>) outs(%[[S]], %[[M]]
// CHECK: arith.mulf
// CHECK: %[[R:.*]]:2 = linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[CHANNEL]], #[[CHANNEL]]], iterator_types = ["reduction", "parallel"]} ins(%[[P]]#0, %[[P]]#1 :
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
// CHECK: arith.addf %[[C]], %[[A]]
// CHECK: arith.maximumf %[[D]], %[[B]]
// CHECK: device.emit @s, %[[R]]#0
device.module @images {
  device.queue @in columns ["x"] (tensor<16x512x8xf32>) depth(2)
  device.report @s : tensor<8xf32>
  device.report @m : tensor<8xf32>
  device.loop @l {mode = "eval"} {
    %x = device.get_next @in : tensor<16x512x8xf32>
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %z = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r:2 = linalg.generic {indexing_maps = [#id, #c, #c], iterator_types = ["reduction", "reduction", "parallel"]} ins(%x : tensor<16x512x8xf32>) outs(%z, %z : tensor<8xf32>, tensor<8xf32>) {
    ^bb0(%a: f32, %s: f32, %m: f32):
      %0 = arith.mulf %a, %a : f32
      %1 = arith.addf %s, %0 : f32
      %2 = arith.maximumf %m, %a : f32
      linalg.yield %1, %2 : f32, f32
    } -> (tensor<8xf32>, tensor<8xf32>)
    device.emit @s, %r#0 : tensor<8xf32>
    device.emit @m, %r#1 : tensor<8xf32>
    device.yield
  }
}

// -----

#id = affine_map<(n, h, c) -> (n, h, c)>
#c = affine_map<(n, h, c) -> (c)>
#n = affine_map<(n, h, c) -> (n)>

// Small tensors, rows that have sums of their own already, and what no parts can be made of stay as they are.
// CHECK-LABEL: device.module @kept
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.generic
device.module @kept {
  device.queue @in columns ["x", "y"] (tensor<16x512x8xf32>, tensor<4x512x8xf32>) depth(2)
  device.report @s : tensor<8xf32>
  device.report @n : tensor<16xf32>
  device.report @d : tensor<8xf32>
  device.loop @l {mode = "eval"} {
    %x, %y = device.get_next @in : tensor<16x512x8xf32>, tensor<4x512x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = linalg.generic {indexing_maps = [#id, #c], iterator_types = ["reduction", "reduction", "parallel"]} ins(%y : tensor<4x512x8xf32>) outs(%z : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    device.emit @s, %s : tensor<8xf32>
    %f = tensor.empty() : tensor<16xf32>
    %w = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    %n = linalg.generic {indexing_maps = [#id, #n], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<16x512x8xf32>) outs(%w : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.addf %o, %a : f32
      linalg.yield %0 : f32
    } -> tensor<16xf32>
    device.emit @n, %n : tensor<16xf32>
    %d = linalg.generic {indexing_maps = [#id, #c], iterator_types = ["reduction", "reduction", "parallel"]} ins(%x : tensor<16x512x8xf32>) outs(%z : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.subf %a, %o : f32
      linalg.yield %0 : f32
    } -> tensor<8xf32>
    device.emit @d, %d : tensor<8xf32>
    device.yield
  }
}

// -----

// 128 KiB are an eighth of the L2 of one target, and a sixteenth of that of the other.
// CHECK-LABEL: device.module @medium
// CHECK-NOT: iterator_types = ["parallel", "reduction", "parallel"]
// SMALL-LABEL: device.module @medium
// SMALL: iterator_types = ["parallel", "reduction", "parallel"]
// SMALL: iterator_types = ["reduction", "parallel"]
device.module @medium {
  device.variable @x : tensor<32x64x16xf32> = dense<0.0> : tensor<32x64x16xf32>
  device.variable @s : tensor<16xf32> = dense<0.0> : tensor<16xf32>
  device.loop @train {mode = "train"} {
    %zero = arith.constant 0.0 : f32
    %x = device.read @x : tensor<32x64x16xf32>
    %e = tensor.empty() : tensor<16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(n, h, c) -> (n, h, c)>, affine_map<(n, h, c) -> (c)>],
                         iterator_types = ["reduction", "reduction", "parallel"]}
        ins(%x : tensor<32x64x16xf32>) outs(%z : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
    } -> tensor<16xf32>
    device.write @s, %s : tensor<16xf32>
    device.yield
  }
}
