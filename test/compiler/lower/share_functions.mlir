// RUN: plumb-opt %s --plumb-share-functions | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// The slope becomes a result of the activation: `erf` is computed once, and the gradient reads neither input.
// CHECK-LABEL: device.loop @slope
// CHECK: %[[Q:.*]]:3 = device.get_next
// CHECK: %[[F:.*]]:2 = linalg.generic {{.*}} ins(%[[Q]]#0, %[[Q]]#2 :
// CHECK: %[[T:.*]] = math.erf
// CHECK: %[[Y:.*]] = arith.mulf %{{.*}}, %[[T]]
// CHECK: %[[E:.*]] = math.exp
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[T]], %[[E]]
// CHECK-NEXT: linalg.yield %[[Y]], %[[D]]
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%[[Q]]#1, %[[F]]#1 :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.mulf %[[A]], %[[S]]
// CHECK-NEXT: linalg.yield
// CHECK: device.write @y, %[[F]]#0
// CHECK: device.write @g, %[[G]]

// No function in common, two values of the part in the rest, an input that is read all the same, nothing left: all stay.
// CHECK-LABEL: device.loop @kept
// CHECK: linalg.generic
// CHECK: math.erf
// CHECK: linalg.generic
// CHECK: math.tanh
// CHECK: linalg.generic
// CHECK: math.erf
// CHECK: linalg.generic
// CHECK: math.erf
// What the part captures is not there yet where the function is computed first.
// CHECK-LABEL: device.loop @captured
// CHECK: math.erf
// CHECK-NEXT: linalg.yield %{{.*}} : f32
// CHECK: tensor.extract
// CHECK: linalg.generic
// CHECK: math.erf
device.module @m {
  device.variable @y : tensor<8x16xf32> = dense<0.0> : tensor<8x16xf32>
  device.variable @g : tensor<8x16xf32> = dense<0.0> : tensor<8x16xf32>
  device.variable @h : tensor<8x16xf32> = dense<0.0> : tensor<8x16xf32>
  device.variable @k : tensor<8x16xf32> = dense<0.0> : tensor<8x16xf32>
  device.queue @q columns ["x", "dy", "b"] (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) depth(4)
  device.loop @slope {mode = "train"} {
    %x, %dy, %b = device.get_next @q : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>
    %e = tensor.empty() : tensor<8x16xf32>
    %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%i: f32, %j: f32, %o: f32):
      %s = arith.addf %i, %j : f32
      %t = math.erf %s : f32
      %u = arith.mulf %s, %t : f32
      linalg.yield %u : f32
    } -> tensor<8x16xf32>
    %g = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%dy, %x, %b : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%d: f32, %i: f32, %j: f32, %o: f32):
      %s = arith.addf %i, %j : f32
      %t = math.erf %s : f32
      %u = math.exp %s : f32
      %v = arith.addf %t, %u : f32
      %w = arith.mulf %d, %v : f32
      linalg.yield %w : f32
    } -> tensor<8x16xf32>
    device.write @y, %y : tensor<8x16xf32>
    device.write @g, %g : tensor<8x16xf32>
  }
  device.loop @kept {mode = "train"} {
    %x, %dy, %b = device.get_next @q : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>
    %e = tensor.empty() : tensor<8x16xf32>
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%i: f32, %o: f32):
      %t = math.erf %i : f32
      linalg.yield %t : f32
    } -> tensor<8x16xf32>
    %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%dy, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%d: f32, %i: f32, %o: f32):
      %t = math.tanh %i : f32
      %w = arith.mulf %d, %t : f32
      linalg.yield %w : f32
    } -> tensor<8x16xf32>
    %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%dy, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%d: f32, %i: f32, %o: f32):
      %t = math.erf %i : f32
      %u = arith.addf %t, %t : f32
      %v = arith.mulf %d, %t : f32
      %w = arith.mulf %v, %u : f32
      linalg.yield %w : f32
    } -> tensor<8x16xf32>
    %k = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%dy, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%d: f32, %i: f32, %o: f32):
      %t = math.erf %i : f32
      %v = arith.mulf %d, %t : f32
      %w = arith.mulf %v, %i : f32
      linalg.yield %w : f32
    } -> tensor<8x16xf32>
    device.write @y, %y : tensor<8x16xf32>
    device.write @g, %g : tensor<8x16xf32>
    device.write @h, %h : tensor<8x16xf32>
    device.write @k, %k : tensor<8x16xf32>
  }
  device.loop @captured {mode = "train"} {
    %x, %dy, %b = device.get_next @q : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>
    %c0 = arith.constant 0 : index
    %e = tensor.empty() : tensor<8x16xf32>
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%i: f32, %o: f32):
      %t = math.erf %i : f32
      linalg.yield %t : f32
    } -> tensor<8x16xf32>
    %late = tensor.extract %y[%c0, %c0] : tensor<8x16xf32>
    %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%dy, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
    ^bb0(%d: f32, %i: f32, %o: f32):
      %t = math.erf %i : f32
      %v = arith.mulf %t, %late : f32
      %u = arith.addf %v, %i : f32
      %w = arith.mulf %d, %u : f32
      linalg.yield %w : f32
    } -> tensor<8x16xf32>
    device.write @y, %y : tensor<8x16xf32>
    device.write @g, %g : tensor<8x16xf32>
  }
}
