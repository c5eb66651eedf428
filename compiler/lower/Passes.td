// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the stage `lower`.

#ifndef PLUMB_COMPILER_LOWER_PASSES_TD
#define PLUMB_COMPILER_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def WidenReductionsPass : Pass<"plumb-widen-reductions", "::mlir::ModuleOp"> {
  let summary = "Accumulates f16 and bf16 in f32, with one rounding";
  let description = [{
    A sum in 16 bits stands still once an element is less than half a unit in its last place: of bf16 numbers after some
    hundred of equal size. Operations that add or multiply many elements into one (the trait `Accumulates`: sums, means,
    products, softmax and cross entropies, average pooling, contractions, and the adjoints among them) compute in f32 on
    operands that are cast, and their results are rounded once. All backends get this.

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

def ConvertNetToLinalgPass : Pass<"plumb-convert-net-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Converts the net operations of every loop to linalg on tensors";
  let description = [{
    Each operation knows its own form (`LowerableOpInterface`); this pass walks the loops and asks. Constants become
    `arith.constant`, arithmetic on whole tensors becomes `linalg.generic`, and named linalg operations that work element
    by element, transpose or broadcast become `linalg.generic` too, so that the passes behind see one form.

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

def SimplifyMovementsPass : Pass<"plumb-simplify-movements", "::mlir::ModuleOp"> {
  let summary = "Lets contractions read and write where tensors are";
  let description = [{
    Transposes go into the maps of contractions that read them or whose result they turn, through slices and insertions
    that stand between. A sum of insertions into zeros, which is what the gradient of several slices of one tensor starts
    as, becomes a chain of insertions; where the chain covers everything the zeros go, too. Slices are views and
    insertions happen in place later, so that no copy is left.

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
  let summary = "Fuses operations that work element by element into their users";
  let description = [{
    A value that only flows from one operation to the next never meets memory. A producer is fused when its consumer reads
    each of its elements once, or when recomputing it costs next to nothing. A producer that has other users as well stays
    a result of the fused operation where both iterate over the same space: a momentum update is one operation with two
    results. Where neither holds, a cheap producer is computed again if that reads no more memory than its result.

    ```mlir
    %v1 = linalg.generic ins(%v, %g) outs(…) { mulf, addf }
    %w1 = linalg.generic ins(%w, %v1) outs(…) { mulf, subf }
    // becomes
    %v1, %w1 = linalg.generic ins(%v, %g, %w) outs(…, …) { mulf, addf, mulf, subf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::affine::AffineDialect"];
}

def FuseReductionsPass : Pass<"plumb-fuse-reductions", "::mlir::ModuleOp"> {
  let summary = "Fuses reductions over the same tensor into one with several results";
  let description = [{
    A sum and a sum of squares, or the two sums of a normalisation's gradient, are one pass over memory. Two reductions are
    fused when they run over the same loops, read a tensor by the same map that has an element for every iteration, and
    neither needs the other's result.

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
  let summary = "Computes what later work needs of a costly function where the function is computed";
  let description = [{
    A gradient reads an activation's input to compute the activation's slope. Where both are made of the same function
    (`erf`, `tanh`, `exp`, …) the activation yields the slope, too, which takes its input's place in memory.

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
  let summary = "Lays the batch or the channels innermost where that is less work";
  let description = [{
    Few channels and narrow rows leave lanes of vectors idle; a batch of a multiple of 16 does not, and many channels do not
    either. Convolutions and what hangs together with them (pooling, normalisation, elementwise operations, pads, slices)
    change their layout as one group if the cost model of `LayoutPlan.h` says so, and tensors are turned only where a group
    ends. When channels are innermost each convolution turns its kernel, too. When the batch is innermost it is cut into
    blocks of 16 entries, which lie outermost (`BlockBatches.h`). Each decision is a remark of category `layout`.

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
}

def SliceProductsPass : Pass<"plumb-slice-products", "::mlir::ModuleOp"> {
  let summary = "Computes a small slice of a product before the product where a reduction needs both";
  let description = [{
    Batch statistics are sums of distances to one of the values: a slice of a product that is complete only when the
    product is. The slice becomes a small product of slices of the inputs, in front, so that the sums can be made while the
    product is. Its elements may be added up in another order than the product's. Where an input is computed element by
    element, its slice is computed again, so that product and input can be made part by part, too.

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
  let summary = "Splits sums over a whole tensor into sums of its outermost rows, and a sum of those";
  let description = [{
    A row's sum can be made in the end of the product that computes the row, and by the thread that does. Sums of large
    tensors are split whose outermost loop reduces, and not alone.

    ```mlir
    %s = linalg.generic {… ["reduction", "reduction", "parallel"]} ins(%x : tensor<128x1024x16xf32>) outs(%z : tensor<16xf32>)
    // becomes
    %p = linalg.generic {… ["parallel", "reduction", "parallel"]} ins(%x : …) outs(%zeros : tensor<128x16xf32>)
    %s = linalg.generic {… ["reduction", "parallel"]} ins(%p : tensor<128x16xf32>) outs(%z : tensor<16xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ScheduleStepPass : Pass<"plumb-schedule-step", "::mlir::ModuleOp"> {
  let summary = "Orders a step so that code generation finds together what it can do together";
  let description = [{
    A fill that starts an operation's result stands right before it and belongs to it alone. Work on the elements (or the
    windows) of a product follows the product, and so do sums of its rows, whose fills stand before it. An update of variables stands behind the last reader of their old values,
    and the product that only it needs right before it.

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
  let summary = "Converts every tensor of a loop to a buffer";
  let description = [{
    Reshapes and slices become views; a result is computed in place of an input that dies where both are walked element by
    element; what is only inserted into another tensor is computed in its place there; a variable's next value is computed
    in the variable's own memory when the old value is no longer needed. Everything that is not proved safe is a
    `linalg.copy`. New buffers are `memref.alloc` at the loop's head.

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

def PlanArenaPass : Pass<"plumb-plan-arena", "::mlir::ModuleOp"> {
  let summary = "Gives every buffer its place in one static arena";
  let description = [{
    A buffer lives from the first to the last operation of the step that touches it, also through views; an operation with
    regions counts as one. Buffers whose lives meet get different bytes: the largest are placed first, each into the
    smallest gap that fits. Buffers that share bytes live as many operations apart, up to 64, as that takes no more bytes;
    beside buffers that no cache keeps, small ones always do: code generation can then do what they serve earlier or later.
    All loops of a module share one arena, since they never run together. The module learns
    `arena_bytes`, `arena_lower_bound` (the most bytes alive at one time) and `arena_buffers`.

    ```mlir
    %a = memref.alloc() : memref<4xf32>
    // becomes
    %a = device.arena.view offset 64 : memref<4xf32>
    ```
  }];
}

def AssignOffsetsPass : Pass<"plumb-assign-offsets", "::mlir::ModuleOp"> {
  let summary = "Gives variables, queue columns, reports and prints their offsets";
  let description = [{
    Variables lie in one block, columns in a queue's slot, each at a multiple of 64 bytes. A loop's reports lie in its
    record behind the step's number, each at its natural alignment. A print's values lie in a record of the ring of prints
    behind the numbers of the step and of the print; the largest print of a loop sets the size of its records.

    ```mlir
    device.variable @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>
    // becomes
    device.variable @w : tensor<4xf32> = dense<0.0> : tensor<4xf32> {offset = 0 : i64}
    ```
  }];
}

def VerifyLoweredPass : Pass<"plumb-verify-lowered", "::mlir::ModuleOp"> {
  let summary = "Verifies that loops work on buffers with static places only";
  let description = [{
    The promise of the stage: in a loop there is no tensor, no allocation and no operation outside `linalg`, `scf`,
    `memref`, `arith`, `math`, `affine` and `device`; every declaration has its offset.

    ```mlir
    device.loop @train {mode = "train"} {
      %a = memref.alloc() : memref<4xf32> // error: memory is not planned
      device.yield
    }
    ```
  }];
}

#endif // PLUMB_COMPILER_LOWER_PASSES_TD
