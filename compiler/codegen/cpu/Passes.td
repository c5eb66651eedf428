// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that convert linalg operations on memrefs to vector code for one core.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PASSES
#define PLUMB_COMPILER_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

class VectorPass<string flag> : Pass<flag, "mlir::ModuleOp"> {
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::vector::VectorDialect", "plumb::kernel::KernelDialect"
  ];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">
  ];
}

def VectorizeContractionsPass : VectorPass<"plumb-vectorize-contractions"> {
  let summary = "Emit contractions as register-tiled vector loops";
  let description = [{
    Takes every operation whose body adds a product to its output and that has a `kernel.plan`: matrix products in all transpose
    forms, batched ones, and the three convolutions, all described by their affine maps alone. Lanes run along a parallel loop
    that is contiguous in the output, or along a reduction that is contiguous in an input; further parallel loops are part of the
    register tile. A fill before the operation becomes the start of the accumulators, and the operations of the plan's epilogue
    are emitted with it.

    An output that two loops move together (`y[h + i] += x[h] * k[i]`, backward data of a convolution) is gathered: a parallel
    loop over `r = h + i` and a reduction over the `i` that exist there. The reduction's range depends on the row where the
    parallel loop is an outer loop; multiply-adds are emitted one by one where it is part of the register tile.

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

def SelectPlansPass : VectorPass<"plumb-select-plans"> {
  let summary = "Choose how each operation becomes vector code";
  let description = [{
    Sets `kernel.plan` on each linalg operation on buffers for which vector code can be emitted: the plan with the fewest
    estimated cycles among the lane loops, register tiles, loop orders, blocks, panels, prefetches and epilogues that the
    planners enumerate. The vectorizing passes emit that plan. An operation that has a plan already keeps it, so that a plan can
    be written by hand; a plan that does not fit its operation is an error. Each choice is a remark of category `plan`.

    ```mlir
    linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
    ```
    becomes
    ```mlir
    linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 3 along 1, tiles = [0 : 8], order = [1 : 48, 0 : 8],
                                              reductions = [2], cycles = 1620>} ins(%a, %b : …) outs(%c : …)
    ```
  }];
}

def FuseEpiloguesPass : Pass<"plumb-fuse-epilogues", "mlir::ModuleOp"> {
  let summary = "Mark operations that can run on the accumulators of a contraction";
  let description = [{
    Elementwise operations, pooling and sums of rows after a contraction that access its result element by element are marked
    `kernel.epilogue`: bias, activation and its mask, residual, scale, an optimizer's update, the partial sums of a
    normalisation. The addresses of buffers must prove that computing them early changes nothing that is read later. A result
    that only marked operations read is marked `kernel.transient` and need not be stored.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%g : memref<32x48xf32>)
    linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%g : memref<32x48xf32>)
    linalg.generic … ins(%w, %g : memref<32x48xf32>, memref<32x48xf32>) outs(%w : memref<32x48xf32>) {mulf, subf}
    ```
    becomes
    ```mlir
    linalg.fill ins(%zero : f32) outs(%g : memref<32x48xf32>)
    linalg.matmul {kernel.transient} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%g : memref<32x48xf32>)
    linalg.generic … ins(%w, %g : memref<32x48xf32>, memref<32x48xf32>) outs(%w : memref<32x48xf32>) attrs = {kernel.epilogue} …
    ```
    and `VectorizeContractions` emits all three as one kernel that reads and writes `%w` and never `%g`.
  }];
  let dependentDialects = ["plumb::kernel::KernelDialect"];
}

def VectorizeReductionsPass : VectorPass<"plumb-vectorize-reductions"> {
  let summary = "Emit sums, maxima and pooling as vector loops";
  let description = [{
    Takes the other operations with reduction loops and a `kernel.plan`: any body that maps to vectors when the lanes are a
    parallel loop, and one commutative operation when they are the reduction itself. Remaining lanes are masked.

    ```mlir
    linalg.generic {… iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x100xf32>) outs(%sum : memref<8xf32>) {
      ^bb0(%in: f32, %acc: f32): %0 = arith.addf %acc, %in : f32  linalg.yield %0 : f32 }
    ```
    becomes a loop over the rows with vector sums and one `vector.reduction <add>` per row.
  }];
}

def VectorizeElementwisePass : VectorPass<"plumb-vectorize-elementwise"> {
  let summary = "Emit elementwise operations, fills, copies and transposes as vector loops";
  let description = [{
    Takes operations without reduction loops that have a `kernel.plan`. Loops that are contiguous in all operands are fused, so
    that most operations are one loop; operands that are constant along the lanes are broadcast; operands that are contiguous
    along another loop are loaded in squares and transposed in registers.

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
  let summary = "Compute square roots of vectors from estimates, where the target has precise ones";
  let description = [{
    An AVX-512 processor's square root of a vector occupies the divider for twelve cycles, and optimizers divide by roots. The
    estimate of the inverse root has fourteen bits; one iteration makes 28 of them, and a second one rounds as the instruction
    would, for arguments from 2⁻¹²³ on. Zeros and infinity are their own roots. Functions whose buffers exceed L2 wait for memory
    and keep the instruction.

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
  let summary = "Compute the last columns of a contraction separately where they leave most of a vector empty";
  let description = [{
    Seventeen columns are two vectors of sixteen lanes, and as much work as thirty-two. The pass compares the estimated cycles of
    the contraction with those of two contractions, one of the columns that fill vectors and one of the others, each in the form
    that `PackContractions` will give it: the lanes of the second one then run along the sum, or along the rows. It rewrites
    where the two take clearly fewer cycles, although epilogue operations become separate passes then.

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
  let summary = "Check the operands of chained maxima for NaN in pairs, where the target needs checks";
  let description = [{
    A maximum that propagates NaN is three instructions on x86: a comparison, a check for NaN, and a select. The operands of a
    chain of maxima, or of minima, are checked in pairs, and the result of the checks is inserted at the end of the chain. A
    maximum of a value and a constant, such as ReLU, is one instruction already.

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
  let summary = "Rearrange operands of contractions where that saves cycles";
  let description = [{
    A contraction whose best lanes are not contiguous in its operands (the channels of a convolution in NCHW, say) may be faster
    on rearranged copies in scratch memory. The pass compares the estimated cycles of the operation with those of forms in which
    one of its loops is contiguous, copies included, and rewrites it where the best form is clearly faster.

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

def PartitionKernelsPass : VectorPass<"plumb-partition-kernels"> {
  let summary = "Partition large kernels into chunks for several threads";
  let description = [{
    A kernel that takes long enough is partitioned along a parallel loop into a fixed number of chunks, chosen by estimated
    cycles: the number depends on the program, not on the machine that runs it, so results are the same on every number of
    threads. All operations of a kernel are partitioned alike; where that is not possible, copies and transposes before the
    main operation become kernels of their own. A sum can also be partitioned along its reduction: each chunk then has partial
    results in scratch memory behind the arena, and a second function adds them up. The kernels of a step are chosen together,
    since two cores that access the same lines wait for each other. The kernel's function then runs one chunk, on parts of its
    buffers; a declaration with `kernel.partition` stands for all chunks.

    An operation with a `kernel.plan` that was written by hand runs as the plan says: it is not partitioned, which a remark of
    category `plan` says. Copies and transposes beside it in its kernel may be.

    ```mlir
    device.loop @train {mode = "train"} {
      func.call @plumb_kernel_0(%x, %w, %y) : (memref<64x32xf32>, memref<32x16xf32>, memref<64x16xf32>) -> ()
      …
    }
    ```
    becomes
    ```mlir
    device.loop @train {mode = "train"} {
      func.call @plumb_kernel_0_in_chunks(%x, %w, %y) : …
      …
    }
    func.func private @plumb_kernel_0_in_chunks(…) attributes {
      kernel.partition = #kernel.partition<@plumb_kernel_0, chunks = 8, steps = [1024, 0, 512]>}
    func.func private @plumb_kernel_0(%x: memref<8x32xf32, strided<[32, 1]>>, %w: memref<32x16xf32>,
                                      %y: memref<8x16xf32, strided<[16, 1]>>) { … }
    ```
  }];
}

def FuseTasksPass : VectorPass<"plumb-fuse-tasks"> {
  let summary = "Run kernels on the same tensors chunk by chunk in one task";
  let description = [{
    Kernels that are partitioned alike along the same tensors run chunk by chunk: each finds in a core's caches what the one
    before it wrote. A kernel joins a task if each of its chunks reads only what the same chunk of the task's kernels wrote;
    results that stay in registers do not count. Independent calls in between move before the task, others stay after it.
    Chunks of large buffers are made smaller until the buffers of one chunk fit in L2, unless that makes contractions slower;
    small kernels that join save the threads a barrier. A call marked `kernel.fused` belongs to the task of the call before it.

    ```mlir
    func.call @map_in_chunks(%x, %y) : (memref<128x16384xf32>, memref<128x16384xf32>) -> ()
    func.call @transpose(%w, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    func.call @product_in_chunks(%y, %t, %z) : …
    ```
    becomes
    ```mlir
    func.call @transpose(%w, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    func.call @map_in_chunks(%x, %y) : (memref<128x16384xf32>, memref<128x16384xf32>) -> ()
    func.call @product_in_chunks(%y, %t, %z) {kernel.fused} : …
    ```
  }];
}

#endif // PLUMB_COMPILER_CODEGEN_CPU_PASSES
