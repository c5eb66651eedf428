// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of optimize, in the order in which the stage runs them.

#ifndef PLUMB_COMPILER_OPTIMIZE_PASSES
#define PLUMB_COMPILER_OPTIMIZE_PASSES

include "mlir/Pass/PassBase.td"

def ElideInlineBarriersPass : Pass<"plumb-elide-inline-barriers", "mlir::ModuleOp"> {
  let summary = "Allow the last calls to be inlined";
  let description = [{
    `no_inline` keeps a function whole for the stages that look at functions. The step is sunk as one graph, so from here
    on nothing is kept apart:

    ```mlir
    func.func private @block(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} { … }
    ```
    becomes
    ```mlir
    func.func private @block(%x: tensor<f32>) -> tensor<f32> { … }
    ```
    and the inliner, which runs next, does the rest.
  }];
}

def RemoveRedundantLayoutsPass : Pass<"plumb-remove-redundant-layouts", "mlir::ModuleOp"> {
  let summary = "Let the neighbours of ops that only move elements do it by themselves";
  let description = [{
    A transpose before or behind a matmul becomes the matmul's flag, and a broadcast whose user broadcasts by itself
    goes, as does the shape of a constant that is all of one number. The dialect's folds run along: reshapes of reshapes and transposes of transposes become one or none.

    ```mlir
    %t = net.transpose %w perm [1, 0] : (tensor<10x84xf32>) -> tensor<84x10xf32>
    %y = net.matmul %x, %t : (tensor<32x84xf32>, tensor<84x10xf32>) -> tensor<32x10xf32>
    %b = net.broadcast_to %bias to [32, 10] : (tensor<10xf32>) -> tensor<32x10xf32>
    %z = net.add %y, %b : (tensor<32x10xf32>, tensor<32x10xf32>) -> tensor<32x10xf32>
    ```
    becomes
    ```mlir
    %y = net.matmul %x, %w {transpose_b = true} : (tensor<32x84xf32>, tensor<10x84xf32>) -> tensor<32x10xf32>
    %z = net.add %y, %bias : (tensor<32x10xf32>, tensor<10xf32>) -> tensor<32x10xf32>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def RemoveRedundantMathPass : Pass<"plumb-remove-redundant-math", "mlir::ModuleOp"> {
  let summary = "Rewrite arithmetic into less arithmetic of the same value";
  let description = [{
    Only rules that round no worse than before: signs move into subtractions, a division by a power of two becomes a
    product, zeros and ones that merely broadcast become a broadcast, a sum over a broadcast axis becomes a product. What
    gradients leave behind is mostly of this kind.

    ```mlir
    %n = net.neg %g : tensor<4xf32>
    %w1 = net.add %w, %n : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %w1 = net.sub %w, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def HoistLoopSumsPass : Pass<"plumb-hoist-loop-sums", "mlir::ModuleOp"> {
  let summary = "Sum the products of a loop's steps in one product behind it";
  let description = [{
    Where each step of a loop of a known number of steps adds a product to a sum, and uses it for nothing else, the loop
    keeps the factors, and one product behind it sums over the steps, too: the gradients of weights of recurrent
    networks. Only if the factors of one step are smaller than the sum, and those of all steps fit into 128 MiB.

    ```mlir
    %sum = scf.for %t = %c0 to %c64 step %c1 iter_args(%s = %zeros) -> (tensor<256x1024xf32>) {
      %h, %d = …
      %p = net.matmul %h, %d {transpose_a = true} : (tensor<16x256xf32>, tensor<16x1024xf32>) -> tensor<256x1024xf32>
      %next = net.add %s, %p : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
      scf.yield %next : tensor<256x1024xf32>
    }
    ```
    becomes
    ```mlir
    %kept:2 = scf.for %t = %c0 to %c64 step %c1 iter_args(%hs = %empty0, %ds = %empty1) -> (tensor<64x16x256xf32>, tensor<64x16x1024xf32>) {
      %h, %d = …
      %a = net.row_update %h into %hs[%t] : (tensor<16x256xf32>, tensor<64x16x256xf32>, index) -> tensor<64x16x256xf32>
      %b = net.row_update %d into %ds[%t] : (tensor<16x1024xf32>, tensor<64x16x1024xf32>, index) -> tensor<64x16x1024xf32>
      scf.yield %a, %b : tensor<64x16x256xf32>, tensor<64x16x1024xf32>
    }
    %h = net.reshape %kept#0 to [1024, 256] : (tensor<64x16x256xf32>) -> tensor<1024x256xf32>
    %d = net.reshape %kept#1 to [1024, 1024] : (tensor<64x16x1024xf32>) -> tensor<1024x1024xf32>
    %sum = net.matmul %h, %d {transpose_a = true} : (tensor<1024x256xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::plumb::net::NetDialect"];
}

def HoistRowUpdatesPass : Pass<"plumb-hoist-row-updates", "mlir::ModuleOp"> {
  let summary = "Update one row of a tensor behind the branch that decides about it";
  let description = [{
    A branch of which one side changes a row of a tensor, and the other side none or another one, yields that row and its
    index. The side that changes nothing yields the first row as it is. So no side copies the tensor.

    ```mlir
    %y = scf.if %c -> (tensor<100x8xf32>) {
      %0 = net.row_update %r into %x[%i] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
      scf.yield %0 : tensor<100x8xf32>
    } else {
      scf.yield %x : tensor<100x8xf32>
    }
    ```
    becomes
    ```mlir
    %0:2 = scf.if %c -> (tensor<8xf32>, index) {
      scf.yield %r, %i : tensor<8xf32>, index
    } else {
      %c0 = arith.constant 0 : index
      %1 = net.row %x[%c0] : (tensor<100x8xf32>, index) -> tensor<8xf32>
      scf.yield %1, %c0 : tensor<8xf32>, index
    }
    %y = net.row_update %0#0 into %x[%0#1] : (tensor<8xf32>, tensor<100x8xf32>, index) -> tensor<100x8xf32>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def HoistMasksPass : Pass<"plumb-hoist-masks", "mlir::ModuleOp"> {
  let summary = "Mask gradients before a pooling spreads them";
  let description = [{
    Behind a relu and a pooling, the mask of relu's gradient acts on the large tensor. The same mask of the small one,
    before the gradient of the pooling, gives the same bits with less work.

    ```mlir
    %0 = net.max_pool2d_grad %x, %y, %dy … : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
    %1 = net.greater %x, %zero : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xi1>
    %2 = net.select %1, %0, %zero : (tensor<1x1x4x4xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
    ```
    becomes
    ```mlir
    %0 = net.greater %y, %zero : (tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xi1>
    %1 = net.select %0, %dy, %zero : (tensor<1x1x2x2xi1>, tensor<1x1x2x2xf32>, tensor<f32>) -> tensor<1x1x2x2xf32>
    %2 = net.max_pool2d_grad %x, %y, %1 … : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def RemoveDeadStatesPass : Pass<"plumb-remove-dead-states", "mlir::ModuleOp"> {
  let summary = "Remove what loops carry for nothing";
  let description = [{
    A part of a loop's state that only its own next value depends on keeps its first value, so that the canonicalizer removes
    it. Gradients of loops keep states that they do not need.

    ```mlir
    %0:2 = scf.for %i = %low to %high step %one iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
      %1 = net.exp %x : tensor<4xf32>
      %2 = net.add %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
    }
    return %0#0 : tensor<4xf32>
    ```
    becomes
    ```mlir
    %0:2 = scf.for %i = %low to %high step %one iter_args(%x = %a, %y = %b) -> (tensor<4xf32>, tensor<4xf32>) {
      %1 = net.exp %x : tensor<4xf32>
      %2 = net.add %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1, %y : tensor<4xf32>, tensor<4xf32>
    }
    return %0#0 : tensor<4xf32>
    ```
  }];
}

def VerifyOptimizedPass : Pass<"plumb-verify-optimized", "mlir::ModuleOp"> {
  let summary = "Check that each entry is one flat graph";
  let description = [{
    An entry function calls nothing, differentiates nothing and takes nothing but the batch:

    ```mlir
    net.entry @train calls @step (tensor<4xf32>) {mode = "train"}
    func.func @step(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = call @loss(%x) : (tensor<4xf32>) -> tensor<f32>   // error: is left in an entry after optimize
      …
    ```

    On success the IR stays as it is.
  }];
}

#endif // PLUMB_COMPILER_OPTIMIZE_PASSES
