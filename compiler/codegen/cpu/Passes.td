// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that turn linalg operations on memrefs into vector code for one core.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PASSES
#define PLUMB_COMPILER_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

class VectorPass<string flag> : Pass<flag, "mlir::ModuleOp"> {
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">
  ];
}

def VectorizeContractionsPass : VectorPass<"plumb-vectorize-contractions"> {
  let summary = "Emit products and convolutions as register-tiled vector loops";
  let description = [{
    Takes every operation whose body adds a product to its output: matrix products in all transpose forms, batched ones,
    and the three convolutions, all described by their affine maps alone. Lanes run along a parallel loop that is
    contiguous in the output, or along a reduction that is contiguous in an input; one or two more parallel loops are
    held in registers. A fill before the operation becomes the accumulators' starting value.

    An output that two loops walk together (`y[h + i] += x[h] * k[i]`, backward data of a convolution) is gathered: a parallel
    loop over `r = h + i` and a reduction over the `i` that exist there, whose range is cut by row outside of registers
    and product by product in them.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%c : memref<32x48xf32>)
    linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c32 step %c8 {
      %sums:24 = scf.for %k = %c0 to %c64 step %c1 iter_args(…) -> (vector<16xf32>, …) {
        %b0 = vector.load %flat_b[…]
        …
        %sum = vector.fma %a0, %b0, %acc : vector<16xf32>
      }
      vector.store …
    }
    ```
  }];
}

def FuseEpiloguesPass : Pass<"plumb-fuse-epilogues", "mlir::ModuleOp"> {
  let summary = "Mark what is done on a product's accumulators before they are stored";
  let description = [{
    Elementwise operations, pooling and sums of rows right behind a product, over the elements that the product computes,
    are marked `device.epilogue`: bias, activation and its mask, residual, scale, an optimizer's update, the partial sums of
    a normalisation. The buffers' places must
    show that doing their work early changes nothing that is read later. A result that only marked operations read is
    marked `device.transient` and need not be stored at all.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%g : memref<32x48xf32>)
    linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%g : memref<32x48xf32>)
    linalg.generic … ins(%w, %g : memref<32x48xf32>, memref<32x48xf32>) outs(%w : memref<32x48xf32>) {mulf, subf}
    ```
    becomes
    ```mlir
    linalg.fill ins(%zero : f32) outs(%g : memref<32x48xf32>)
    linalg.matmul {device.transient} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%g : memref<32x48xf32>)
    linalg.generic … ins(%w, %g : memref<32x48xf32>, memref<32x48xf32>) outs(%w : memref<32x48xf32>) attrs = {device.epilogue} …
    ```
    and the first of the vectorizing passes emits all three as one kernel that reads and writes `%w` and never `%g`.
  }];
}

def VectorizeReductionsPass : VectorPass<"plumb-vectorize-reductions"> {
  let summary = "Emit sums, maxima, pooling and the like as vector loops";
  let description = [{
    Takes the other operations with reduction loops: any body that maps to vectors when the lanes are a parallel loop,
    and one commutative operation when they are the reduction itself. Lanes that are left over are masked.

    ```mlir
    linalg.generic {… iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x100xf32>) outs(%sum : memref<8xf32>) {
      ^bb0(%in: f32, %acc: f32): %0 = arith.addf %acc, %in : f32  linalg.yield %0 : f32 }
    ```
    becomes a loop over the rows with vector sums and one `vector.reduction <add>` per row.
  }];
}

def VectorizeElementwisePass : VectorPass<"plumb-vectorize-elementwise"> {
  let summary = "Emit elementwise work, fills, copies and transposes as vector loops";
  let description = [{
    Takes operations without reduction loops. Loops that all operands walk as one are fused, so that most work is one
    flat loop; operands that are constant along the lanes are broadcast; operands whose neighbours lie along another
    loop are read in squares and turned in registers.

    ```mlir
    linalg.generic {… iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x100xf32>) outs(%y : memref<8x100xf32>) …
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c800 step %c16 { %0 = vector.load …  vector.store … }
    ```
  }];
}

def ExpandRootsPass : VectorPass<"plumb-expand-roots"> {
  let summary = "Compute square roots of vectors by estimates, where the target has exact enough ones";
  let description = [{
    An AVX-512 processor's square root of a vector holds the unit that divides for twelve cycles, and optimizers divide by
    roots. Its estimate has fourteen bits; one step makes 28 of them, a second one rounds as the instruction would, for
    everything from 2⁻¹²³ on. Zeros and infinity are their own roots. Functions whose buffers are more than the second
    cache holds wait for memory and keep the instruction.

    ```mlir
    %1 = math.sqrt %0 : vector<16xf32>
    ```
    becomes
    ```mlir
    %r = llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.ps.512"(%0, %zeros, %all)
    …                                             // seven multiplications and multiply-adds
    %k = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"(%0, %zeroOrInfinite)
    %1 = arith.select %k, %0, %root : vector<16xi1>, vector<16xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect", "mlir::math::MathDialect"];
}

def SplitColumnsPass : VectorPass<"plumb-split-columns"> {
  let summary = "Compute a product's last columns apart, where they would leave most of a vector empty";
  let description = [{
    Seventeen columns are two vectors of sixteen lanes, and as much work as thirty-two. The pass prices the product whole and
    as two products, of the columns that fill vectors and of the others, each in the form that `PackContractions` will give
    it: the lanes of the second one then run along the sum, or along the rows. It rewrites where the two are clearly less
    work, although what follows the product is not done in its end any more.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%c : memref<96x17xf32>)
    linalg.matmul ins(%a, %b : memref<96x96xf32>, memref<96x17xf32>) outs(%c : memref<96x17xf32>)
    ```
    becomes
    ```mlir
    %b0 = memref.subview %b[0, 0] [96, 16] [1, 1] : …
    %c0 = memref.subview %c[0, 0] [96, 16] [1, 1] : …
    linalg.fill ins(%zero : f32) outs(%c0 : …)
    linalg.generic … ins(%a, %b0 : …) outs(%c0 : …) {mulf, addf}
    %b1 = memref.subview %b[0, 16] [96, 1] [1, 1] : …
    %c1 = memref.subview %c[0, 16] [96, 1] [1, 1] : …
    linalg.fill ins(%zero : f32) outs(%c1 : …)
    linalg.generic … ins(%a, %b1 : …) outs(%c1 : …) {mulf, addf}
    ```
  }];
}

def ExpandMaximaPass : VectorPass<"plumb-expand-maxima"> {
  let summary = "Ask the operands of chained maxima together whether one is no number, where the target must ask";
  let description = [{
    A maximum that is no number where an operand is none is three instructions on x86: what is greater, whether the operand
    is a number, and a choice. Operands of a chain of maxima, or of minima, are asked in pairs, and their answers are
    put into the end's result. A maximum of a value and a known number, such as ReLU's, is one instruction as it stands.

    ```mlir
    %0 = arith.maximumf %b, %c fastmath<nsz> : vector<16xf32>
    %1 = arith.maximumf %a, %0 fastmath<nsz> : vector<16xf32>
    ```
    becomes
    ```mlir
    %0 = arith.cmpf ogt, %a, %b : vector<16xf32>
    %1 = arith.select %0, %a, %b : vector<16xi1>, vector<16xf32>
    …                                                  // the same of %1 and %c: %3
    %4 = arith.cmpf uno, %a, %b : vector<16xf32>
    %5 = arith.cmpf uno, %c, %c : vector<16xf32>
    %6 = arith.ori %4, %5 : vector<16xi1>
    %7 = arith.select %6, %ones, %bits : vector<16xi1>, vector<16xi32>     // %bits is %3
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def PackContractionsPass : VectorPass<"plumb-pack-contractions"> {
  let summary = "Rearrange operands of products and convolutions where that pays";
  let description = [{
    A contraction whose best lanes are not contiguous in its operands (the channels of a convolution in NCHW, say) may
    be faster on rearranged copies, made in scratch memory. The pass prices the operation as it stands and with each
    parallel or reduction loop made contiguous, copies included, and rewrites it where the best is clearly better.

    ```mlir
    linalg.generic {conv maps} ins(%x, %w : …, memref<16x6x5x5xf32>) outs(%y : memref<32x16x10x10xf32>) …
    ```
    becomes
    ```mlir
    %wt = memref.alloca() {alignment = 64} : memref<6x5x5x16xf32>
    linalg.transpose ins(%w) outs(%wt) permutation = [1, 2, 3, 0]
    %yt = memref.alloca() {alignment = 64} : memref<32x10x10x16xf32>
    linalg.fill … outs(%yt)
    linalg.generic {conv maps} ins(%x, %wt) outs(%yt) …
    linalg.transpose ins(%yt) outs(%y) permutation = [0, 3, 1, 2]
    ```
    Inside a `device.loop` the scratch memory is the end of the arena, which all rearranged operations share.
  }];
}

def SplitKernelsPass : VectorPass<"plumb-split-kernels"> {
  let summary = "Cut large kernels into grains for several threads";
  let description = [{
    A kernel whose time is worth it is cut along a parallel loop into a fixed number of grains, chosen by the planner's
    prices: the program says how fine, not the machine that runs it, so results are the same on every number of threads.
    All operations of a kernel are cut alike; where that is not possible, copies and transposes in front become kernels
    of their own. What a sum adds up can be cut too: each grain then has results of its own in scratch memory behind the
    arena, and a second function adds these up. Kernels of a step are chosen for together, since two cores that work on
    the same lines wait for each other. The kernel's function then does one grain, on parts of its buffers; a declaration beside it stands for
    all grains together and says how many they are, and how many bytes each argument moves from one to the next.

    ```mlir
    device.loop @train {mode = "train"} {
      func.call @plumb_kernel_0(%x, %w, %y) : (memref<64x32xf32>, memref<32x16xf32>, memref<64x16xf32>) -> ()
      …
    }
    ```
    becomes
    ```mlir
    device.loop @train {mode = "train"} {
      func.call @plumb_kernel_0_in_grains(%x, %w, %y) : …
      …
    }
    func.func private @plumb_kernel_0_in_grains(…) attributes {
      device.part = @plumb_kernel_0, device.grains = 8 : i64, device.steps = array<i64: 1024, 0, 512>}
    func.func private @plumb_kernel_0(%x: memref<8x32xf32, strided<[32, 1]>>, %w: memref<32x16xf32>,
                                      %y: memref<8x16xf32, strided<[16, 1]>>) { … }
    ```
  }];
}

def JoinGrainsPass : VectorPass<"plumb-join-grains"> {
  let summary = "Let kernels that go through the same tensors do it together, grain by grain";
  let description = [{
    Kernels that are cut alike along the same tensors run grain by grain: what one of them leaves in a core's caches the
    next one finds there. A kernel joins those before it where each of its grains needs nothing but what the same grain of
    those wrote; results that the code has in registers only are nobody's. What stands between them and has nothing to do with
    any is done before; what needs all of their grains, after. Where they touch much, grains become finer until what one of
    them touches stays in a core's second cache, unless that makes products slower; small kernels, joined behind them, save
    threads the wait for each other. A call that is marked `device.joined` goes on grain by grain with the call before it.

    ```mlir
    func.call @map_in_grains(%x, %y) : (memref<128x16384xf32>, memref<128x16384xf32>) -> ()
    func.call @turned(%w, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    func.call @product_in_grains(%y, %t, %z) : …
    ```
    becomes
    ```mlir
    func.call @turned(%w, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    func.call @map_in_grains(%x, %y) : (memref<128x16384xf32>, memref<128x16384xf32>) -> ()
    func.call @product_in_grains(%y, %t, %z) {device.joined} : …
    ```
  }];
}

#endif // PLUMB_COMPILER_CODEGEN_CPU_PASSES
