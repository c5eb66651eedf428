// Equal input gives equal bytes, although two threads make the code.
// RUN: plumbc %s --compile-from=lower --target-cpu=x86-64-v3 -o %t.first.plumb
// RUN: plumbc %s --compile-from=lower --target-cpu=x86-64-v3 -o %t.second.plumb
// RUN: cmp %t.first.plumb %t.second.plumb

#id = affine_map<(i) -> (i)>
device.module @net attributes {arena_bytes = 512 : i64, variables_bytes = 256 : i64} {
  device.variable @w : tensor<64xf32> = dense<1.0> : tensor<64xf32> {offset = 0 : i64}
  device.queue @train columns ["x"] (tensor<64xf32>) depth(4) {offsets = array<i64: 0>, slot_bytes = 256 : i64}
  device.report @loss : tensor<f32> {offset = 8 : i64}
  device.loop @train {mode = "train", record_bytes = 16 : i64} {
    %x = device.get_next @train : memref<64xf32>
    %w = device.variable.view @w : memref<64xf32>
    %loss = device.arena.view offset 0 : memref<f32>
    %y = device.arena.view offset 256 : memref<64xf32>
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%loss : memref<f32>)
    linalg.dot ins(%x, %w : memref<64xf32>, memref<64xf32>) outs(%loss : memref<f32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.exp %a : f32
      linalg.yield %e : f32
    }
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : memref<64xf32>) outs(%w : memref<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = math.tanh %a : f32
      linalg.yield %e : f32
    }
    device.emit @loss, %loss : memref<f32>
    device.yield
  }
}
