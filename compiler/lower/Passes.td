// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the stage `lower`.

#ifndef PLUMB_COMPILER_LOWER_PASSES_TD
#define PLUMB_COMPILER_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def WidenReductionsPass : Pass<"plumb-widen-reductions", "::mlir::ModuleOp"> {
  let summary = "Accumulate f16 and bf16 in f32, with one rounding";
  let description = [{
    A sum of 16 bits does not change any more when the next element is less than half a unit in its last place: with bf16
    and elements of equal size, after a few hundred of them. Operations with the trait `Accumulates` (sums, means, products,
    softmax and cross entropies, average pooling, contractions, and adjoints of these) are therefore computed in f32 on
    converted operands, and their results are rounded once. This holds for all back ends.

    ```mlir
    %1 = net.reduce_mean %0 over [0] : (tensor<4096xbf16>) -> tensor<bf16>
    // becomes
    %a = net.cast %0 to f32 : (tensor<4096xbf16>) -> tensor<4096xf32>
    %b = net.reduce_mean %a over [0] : (tensor<4096xf32>) -> tensor<f32>
    %1 = net.cast %b to bf16 : (tensor<f32>) -> tensor<bf16>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def UnfoldConvolutionsPass : Pass<"plumb-unfold-convolutions", "::mlir::ModuleOp"> {
  let summary = "Compute convolutions of few windows as products with the unfolded image";
  let description = [{
    The last layers of a network have large kernels and small images. At batch 1, transposing the kernels to the layout
    that convolutions take would cost more than computing with them. So where a kernel has at least eight output channels
    per window, and 64 elements per channel at most, the image's windows become the rows of a matrix (im2col), and the
    convolution and its two adjoints products with it, unless there are groups, or the batch fills vectors. The kernel is
    read as it lies in memory.

    ```mlir
    %y = net.conv2d %x, %w stride [1, 1] pad [1, 1, 1, 1] dilation [1, 1] group 1 : (tensor<1x512x2x2xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x2x2xf32>
    // becomes
    %p = net.pad %x low [0, 0, 1, 1] high [0, 0, 1, 1] value 0.0 : (tensor<1x512x2x2xf32>) -> tensor<1x512x4x4xf32>
    %s0 = net.slice %p from [0, 0, 0, 0] to [1, 512, 2, 2] by [1, 1, 1, 1] : (tensor<1x512x4x4xf32>) -> tensor<1x512x2x2xf32>
    … seven more
    %s8 = net.slice %p from [0, 0, 2, 2] to [1, 512, 4, 4] by [1, 1, 1, 1] : (tensor<1x512x4x4xf32>) -> tensor<1x512x2x2xf32>
    %s = net.stack %s0, …, %s8 axis 2 : (tensor<1x512x2x2xf32>, …) -> tensor<1x512x9x2x2xf32>
    %t = net.transpose %s perm [0, 3, 4, 1, 2] : (tensor<1x512x9x2x2xf32>) -> tensor<1x2x2x512x9xf32>
    %c = net.reshape %t to [4, 4608] : (tensor<1x2x2x512x9xf32>) -> tensor<4x4608xf32>
    %k = net.reshape %w to [512, 4608] : (tensor<512x512x3x3xf32>) -> tensor<512x4608xf32>
    %m = net.matmul %c, %k {transpose_b = true} : (tensor<4x4608xf32>, tensor<512x4608xf32>) -> tensor<4x512xf32>
    %r = net.reshape %m to [1, 2, 2, 512] : (tensor<4x512xf32>) -> tensor<1x2x2x512xf32>
    %y = net.transpose %r perm [0, 3, 1, 2] : (tensor<1x2x2x512xf32>) -> tensor<1x512x2x2xf32>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def ConvertNetToLinalgPass : Pass<"plumb-convert-net-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Convert the net operations of every loop to linalg on tensors";
  let description = [{
    Each operation implements its own lowering (`LowerableOpInterface`). Constants become `arith.constant`. Arithmetic on
    tensors and named linalg operations that are elementwise, transpose or broadcast become `linalg.generic`, so that later
    passes match one form.

    ```mlir
    %2 = net.add %0, %1 : tensor<4xf32>
    // becomes
    %e = tensor.empty() : tensor<4xf32>
    %2 = linalg.generic {…} ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) { arith.addf … }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::math::MathDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RemoveRedundantOpsPass : Pass<"plumb-remove-redundant-ops", "::mlir::ModuleOp"> {
  let summary = "Merge equal operations, with bodies compared by hash";
  let description = [{
    Common subexpression elimination. It merges what `cse` merges, but its hash of an operation includes the operation's
    body, so that its time is linear: an unrolled loop has thousands of operations with equal operands and different bodies.

    ```mlir
    %a = linalg.generic {…} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) { addf 1.0 }
    %b = linalg.generic {…} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) { addf 2.0 }
    %c = linalg.generic {…} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) { addf 1.0 }
    // becomes
    %a = linalg.generic {…} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) { addf 1.0 }
    %b = linalg.generic {…} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) { addf 2.0 }
    ```
  }];
}

def SimplifyMovementsPass : Pass<"plumb-simplify-movements", "::mlir::ModuleOp"> {
  let summary = "Fold transposes and insertions into contractions";
  let description = [{
    Transposes are folded into the indexing maps of contractions, also through slices and insertions in between. A sum of
    insertions into zeros (the gradient of several slices of one tensor) becomes a chain of insertions, and the zeros are
    removed if the chain overwrites all of them. Slices become views and insertions are computed in place later, so that no
    copy is left.

    ```mlir
    %t = linalg.generic {…} ins(%x : tensor<64x3x32xf32>) outs(%e : tensor<3x64x32xf32>) { yield }
    %s = tensor.extract_slice %t[1, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<3x64x32xf32> to tensor<64x32xf32>
    // becomes
    %s = tensor.extract_slice %x[0, 1, 0] [64, 1, 32] [1, 1, 1] : tensor<64x3x32xf32> to tensor<64x32xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"plumb-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Fuse elementwise operations into their users";
  let description = [{
    The intermediate value of fused operations is not stored. A producer is fused if its consumer reads each of its elements
    once, or if recomputing them is cheap. A producer with several users becomes a second result of the fused operation if
    both have the same iteration space: a momentum update is one operation with two results. Otherwise a cheap producer is
    recomputed if that reads no more memory than loading its result. The fused operation accesses no more streams than the
    target can follow.

    ```mlir
    %v1 = linalg.generic ins(%v, %g) outs(…) { mulf, addf }
    %w1 = linalg.generic ins(%w, %v1) outs(…) { mulf, subf }
    // becomes
    %v1, %w1 = linalg.generic ins(%v, %g, %w) outs(…, …) { mulf, addf, mulf, subf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to compile for; default: the device module's target, else this machine">
  ];
}

def FuseReductionsPass : Pass<"plumb-fuse-reductions", "::mlir::ModuleOp"> {
  let summary = "Fuse reductions over the same tensor into one with several results";
  let description = [{
    A sum and a sum of squares, or the two sums of a normalisation's gradient, become one pass over memory. Two reductions
    are fused if they have the same loops, read a common tensor with the same permutation of all loops, and neither depends
    on the other's result.

    ```mlir
    %s = linalg.generic {… ["reduction", "parallel"]} ins(%x) outs(%zero) { addf }
    %q = linalg.generic {… ["reduction", "parallel"]} ins(%x) outs(%zero) { mulf, addf }
    // becomes
    %s, %q = linalg.generic {… ["reduction", "parallel"]} ins(%x) outs(%zero, %zero) { addf, mulf, addf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ShareFunctionsPass : Pass<"plumb-share-functions", "::mlir::ModuleOp"> {
  let summary = "Share costly functions between elementwise operations";
  let description = [{
    A gradient reads the input of an activation to compute the activation's derivative. If both evaluate the same function
    (`erf`, `tanh`, `exp`, …), the derivative becomes a second result of the activation, which the gradient reads instead of
    the activation's input.

    ```mlir
    %y = linalg.generic {…} ins(%x) outs(%e) { t = math.erf x; y = x * (t + 1) }
    …
    %g = linalg.generic {…} ins(%dy, %x) outs(%f) { t = math.erf x; u = math.exp (-x * x); g = dy * (t + x * u) }
    // becomes
    %y, %d = linalg.generic {…} ins(%x) outs(%e, %h) { t = math.erf x; y = x * (t + 1); u = math.exp (-x * x); d = t + x * u }
    …
    %g = linalg.generic {…} ins(%dy, %d) outs(%f) { g = dy * d }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def AssignLayoutsPass : Pass<"plumb-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Make the batch or the channels innermost if that takes fewer cycles";
  let description = [{
    Narrow rows leave lanes of vectors idle; a batch of a multiple of 16 (a cache line of f32), or many channels, fill them. Convolutions and the
    operations around them (pooling, normalisation, elementwise operations, pads, slices) change their layout as one group,
    chosen by the cost model of `LayoutPlan.h` for the target's lanes and caches, and tensors are transposed only at the edges of a group. With channels
    innermost, each convolution transposes its kernel, too. With the batch innermost, the batch is split into blocks of 16
    entries, which become the outermost axis (`BlockBatches.h`). Each decision is a remark of category `layout`.

    ```mlir
    %y = linalg.generic {…} ins(%x, %k : tensor<32x6x14x14xf32>, tensor<16x6x5x5xf32>) outs(%e : tensor<32x16x10x10xf32>) {…}
    %z = linalg.generic {…} ins(%y : tensor<32x16x10x10xf32>) outs(%f : tensor<32x16x5x5xf32>) { maximumf }
    // becomes
    %b = tensor.expand_shape %x [[0, 1], [2], [3], [4]] : tensor<32x6x14x14xf32> into tensor<2x16x6x14x14xf32>
    %t = linalg.generic {…} ins(%b : tensor<2x16x6x14x14xf32>) outs(%g : tensor<2x6x14x14x16xf32>) { yield }
    %y = linalg.generic {…} ins(%t, %k : tensor<2x6x14x14x16xf32>, tensor<16x6x5x5xf32>) outs(%e : tensor<2x16x10x10x16xf32>) {…}
    %w = linalg.generic {…} ins(%y : tensor<2x16x10x10x16xf32>) outs(%f : tensor<2x16x5x5x16xf32>) { maximumf }
    %v = linalg.generic {…} ins(%w : tensor<2x16x5x5x16xf32>) outs(%h : tensor<2x16x16x5x5xf32>) { yield }
    %z = tensor.collapse_shape %v [[0, 1], [2], [3], [4]] : tensor<2x16x16x5x5xf32> into tensor<32x16x5x5xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to compile for; default: the device module's target, else this machine">
  ];
}

def SliceContractionsPass : Pass<"plumb-slice-contractions", "::mlir::ModuleOp"> {
  let summary = "Compute a small slice of a contraction earlier if a reduction reads both";
  let description = [{
    Batch statistics are sums of differences to one of the values, which is a slice of a contraction's result and therefore
    known only at its end. The slice becomes a small contraction of slices of the inputs before the other one, so that the
    sums can be part of the contraction's epilogue. The order of its additions may differ. Slices of elementwise inputs are
    recomputed, so that these can be partitioned together with the contraction.

    ```mlir
    %y = linalg.generic ins(%x, %w) outs(%z : tensor<128x32x32x16xf32>) {mulf, addf}
    %o = tensor.extract_slice %y[0, 0, 0, 0] [1, 1, 1, 16] [1, 1, 1, 1]
    %s = linalg.generic {… "reduction" …} ins(%y, %o) {subf, addf}
    // becomes
    %x0 = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 8] [1, 1, 1, 1]
    %o = linalg.generic ins(%x0, %w) outs(%z0 : tensor<1x1x1x16xf32>) {mulf, addf}
    %y = linalg.generic ins(%x, %w) outs(%z : tensor<128x32x32x16xf32>) {mulf, addf}
    %s = linalg.generic {… "reduction" …} ins(%y, %o) {subf, addf}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitReductionsPass : Pass<"plumb-split-reductions", "::mlir::ModuleOp"> {
  let summary = "Split reductions of a tensor into reductions of its outermost rows and a reduction of their results";
  let description = [{
    The reduction of a row can be part of the epilogue of the contraction that computes the row, on the same thread.
    Reductions of tensors that exceed an eighth of the target's L2 are split if they reduce the outermost axis and at least one other axis.

    ```mlir
    %s = linalg.generic {… ["reduction", "reduction", "parallel"]} ins(%x : tensor<128x1024x16xf32>) outs(%z : tensor<16xf32>)
    // becomes
    %p = linalg.generic {… ["parallel", "reduction", "parallel"]} ins(%x : …) outs(%zeros : tensor<128x16xf32>)
    %s = linalg.generic {… ["reduction", "parallel"]} ins(%p : tensor<128x16xf32>) outs(%z : tensor<16xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to compile for; default: the device module's target, else this machine">
  ];
}

def ScheduleStepPass : Pass<"plumb-schedule-step", "::mlir::ModuleOp"> {
  let summary = "Order a step so that codegen can fuse neighbours into kernels";
  let description = [{
    A fill is right before the operation or loop whose result it initializes, and has no other user. Elementwise operations, pooling
    and sums of rows follow the contraction whose result they read, with the fills of the sums before it. An update of a
    variable follows the last reader of the old value, and a contraction that only the update uses is right before it. What
    is inserted into a tensor is inserted behind the last reader of the tensor as it was.

    ```mlir
    %z = linalg.fill …
    %g = linalg.generic ins(%x, %d) outs(%z) {mulf, addf}   // a gradient
    %n = linalg.generic ins(%w, %d) outs(%y) {…}            // reads the old weight
    …
    %u = linalg.generic ins(%w, %g) outs(…) {…}             // the update
    device.write @w, %u
    // becomes
    %n = linalg.generic ins(%w, %d) outs(%y) {…}
    %z = linalg.fill …
    %g = linalg.generic ins(%x, %d) outs(%z) {mulf, addf}
    %u = linalg.generic ins(%w, %g) outs(…) {…}
    …
    device.write @w, %u
    ```
  }];
}

def ConvertTensorsToBuffersPass : Pass<"plumb-convert-tensors-to-buffers", "::mlir::ModuleOp"> {
  let summary = "Convert every tensor of a loop to a buffer";
  let description = [{
    Reshapes and slices become views. An elementwise operation computes in place of an input that it uses last. A tensor that
    is only inserted into another one is computed there. The next value of a variable is computed in the variable's memory
    if the old value has no later use. Where sharing memory is not proved safe, there is a `linalg.copy`. New buffers are
    `memref.alloc` at the beginning of the loop.

    ```mlir
    %w = device.read @w : tensor<4xf32>
    %n = linalg.generic ins(%w, %g : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {…}
    device.write @w, %n : tensor<4xf32>
    // becomes
    %w = device.variable.view @w : memref<4xf32>
    linalg.generic ins(%w, %g : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>) {…}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

def ElideZeroUpdatesPass : Pass<"plumb-elide-zero-updates", "::mlir::ModuleOp"> {
  let summary = "Update only the elements of a table that a gradient reaches";
  let description = [{
    The gradient of a lookup is zeros, to which a few rows are added; `w - g * rate` changes no other row of the table. The
    fill, the additions and the update become loops over the elements that are added to, with the same results: each
    is updated by the complete sum when it is visited first, and by zero afterwards. Rates are known when the step runs: for
    one that is negative, infinite or NaN, the step takes the other branch and updates the complete table. Only tables
    with many elements for each one that is added to change.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%g : memref<10000x16xf32>)
    scf.for %i … { scf.for %j … { memref.store %sum, %g[%row, %j] } }
    linalg.generic ins(%w, %g, %rate : …) outs(%w : memref<10000x16xf32>) { mulf, subf }
    // becomes
    scf.if %isRate { scf.for %i … { scf.for %j … { memref.store %zero, %g[%row, %j] } } } else { linalg.fill … }
    scf.for %i … { scf.for %j … { memref.store %sum, %g[%row, %j] } }
    scf.if %isRate {
      scf.for %i … { scf.for %j … {
        …                                                 // mulf, subf
        memref.store %updated, %w[%row, %j]
        memref.store %zero, %g[%row, %j]
      } }
    } else { linalg.generic … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def PlanArenaPass : Pass<"plumb-plan-arena", "::mlir::ModuleOp"> {
  let summary = "Give every buffer an offset in one static arena";
  let description = [{
    A buffer is live from the first to the last operation of the step that accesses it, also through views; an operation with
    regions counts as one. Buffers with overlapping live ranges share no bytes: offsets are assigned from the largest buffer
    to the smallest, each in the smallest gap that fits. Live ranges of buffers that share bytes have a distance of up to 64
    operations, as far as that needs no larger arena, and always for small buffers beside large ones: code generation can
    then move operations. All loops of a module share one arena, since they never run concurrently. The module gets the
    attributes `arena_bytes`, `arena_lower_bound` (the largest sum of the sizes of live buffers) and `arena_buffers`.

    ```mlir
    %a = memref.alloc() : memref<4xf32>
    // becomes
    %a = device.arena.view offset 64 : memref<4xf32>
    ```
  }];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to compile for; default: the device module's target, else this machine">
  ];
}

def AssignOffsetsPass : Pass<"plumb-assign-offsets", "::mlir::ModuleOp"> {
  let summary = "Give variables, queue columns, reports and prints their offsets";
  let description = [{
    Variables are in one block, columns in a queue's slot, each at a multiple of 64 bytes. The reports of a loop are in its
    record after the step's number, each at its natural alignment. The values of a print are in a record of the ring of
    prints, after the numbers of the step and of the print; the largest print of a loop determines the size of its records.

    ```mlir
    device.variable @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>
    // becomes
    device.variable @w : tensor<4xf32> = dense<0.0> : tensor<4xf32> {offset = 0 : i64}
    ```
  }];
}

def VerifyLoweredPass : Pass<"plumb-verify-lowered", "::mlir::ModuleOp"> {
  let summary = "Verify that loops use buffers with static offsets only";
  let description = [{
    The postcondition of the stage: a loop contains no tensor, no allocation and no operation outside `linalg`, `scf`,
    `memref`, `arith`, `math`, `affine`, `device` and `native`; every declaration has an offset.

    ```mlir
    device.loop @train {mode = "train"} {
      %a = memref.alloc() : memref<4xf32> // error: memory is not planned
      device.yield
    }
    ```
  }];
}

#endif // PLUMB_COMPILER_LOWER_PASSES_TD
