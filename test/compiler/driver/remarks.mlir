// Remarks stand at the lines that they speak of; only those of the categories that were asked for.
// RUN: plumbc %s --compile-from=sink --compile-to=lower --remarks=layout -o %t 2>&1 | FileCheck %s --match-full-lines
// RUN: plumbc %s --compile-from=sink --compile-to=lower --remarks -o %t 2>&1 | FileCheck %s --match-full-lines
// RUN: not plumbc %s --compile-from=sink --compile-to=lower --remarks=foo -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: --remarks knows no category that matches 'foo'; there is layout, plan
// RUN: plumbc %s --compile-from=sink --compile-to=lower -o %t 2>&1 | count 0
// CHECK: {{.*}}remarks.mlir:[[# @LINE + 17]]:10: remark: layout: with the batch innermost: {{[0-9]+}} cycles for the group of 1 convolutions, {{[0-9]+}} as written, {{[0-9]+}} with channels innermost

#image = affine_map<(n, o, y, x, c, i, j) -> (n, c, y + i, x + j)>
#kernel = affine_map<(n, o, y, x, c, i, j) -> (o, c, i, j)>
#result = affine_map<(n, o, y, x, c, i, j) -> (n, o, y, x)>
#id = affine_map<(n, o, y, x) -> (n, o, y, x)>

device.module @few {
  device.variable @k : tensor<6x2x5x5xf32> = #device.init<"one", []>
  device.queue @train columns ["x"] (tensor<32x2x14x14xf32>) depth(2)
  device.report @y : tensor<32x600xf32>
  device.loop @train {mode = "train"} {
    %x = device.get_next @train : tensor<32x2x14x14xf32>
    %k = device.read @k : tensor<6x2x5x5xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<32x6x10x10xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x6x10x10xf32>) -> tensor<32x6x10x10xf32>
    %y = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : tensor<32x2x14x14xf32>, tensor<6x2x5x5xf32>) outs(%f : tensor<32x6x10x10xf32>) {
    ^bb0(%a : f32, %b : f32, %o : f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<32x6x10x10xf32>
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<32x6x10x10xf32>) outs(%e : tensor<32x6x10x10xf32>) {
    ^bb0(%a : f32, %o : f32):
      %0 = arith.maximumf %a, %zero : f32
      linalg.yield %0 : f32
    } -> tensor<32x6x10x10xf32>
    %r = tensor.collapse_shape %z [[0], [1, 2, 3]] : tensor<32x6x10x10xf32> into tensor<32x600xf32>
    device.emit @y, %r : tensor<32x600xf32>
    device.yield
  }
}
