// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of codegen that serve every processor.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_PASSES
#define PLUMB_COMPILER_CODEGEN_COMMON_PASSES

include "mlir/Pass/PassBase.td"

def ConvertDeviceToLLVMPass : Pass<"plumb-convert-device-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert each device.loop to a native function with its own loop";
  let description = [{
    The function follows `runtime/abi/executable_abi.h`: before each step it checks the count of steps, the stop flag, the room
    for a report and the arrival of the batch; host callbacks are only on the slow paths. After the step it publishes the report,
    then releases the batch. The step's own operations move inside unchanged, and their buffers become addresses in the arena,
    the variables, the slot and the record.

    ```mlir
    device.loop @train {mode = "train"} {
      %x = device.get_next @train : memref<32x10xf32>
      %w = device.variable.view @w : memref<10xf32>
      …
      device.yield
    }
    ```
    becomes
    ```mlir
    device.entry @train symbol("plumb_loop_train") {mode = "train", queue = @train, reports = [], …}
    llvm.func @plumb_loop_train(%launch: !llvm.ptr) {
      …
    ^step(%number: i64, …):
      %more = llvm.icmp "ult" %number, %sink_size : i64
      llvm.cond_br %more, ^stop, ^end(…)
      …
    }
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect", "mlir::linalg::LinalgDialect",
                           "plumb::kernel::KernelDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">
  ];
}

def ExpandMathPass : Pass<"plumb-expand-math", "mlir::ModuleOp"> {
  let summary = "Replace math functions by polynomials that vectors can run";
  let description = [{
    `exp`, `log`, `tanh`, `erf` and similar functions of f32, scalar or vector, become polynomials of arithmetic operations, so
    that vector loops contain no library calls and the executable needs no libm. Powers become products and roots where the
    exponent is a constant that allows it. Functions without a polynomial remain calls of libm.

    ```mlir
    %1 = math.exp %0 : vector<16xf32>
    ```
    becomes some fifteen `arith` and `math.fma` operations on `vector<16xf32>`. `sin` and `cos` reduce their argument
    exactly, however large it is; the reduction by digits of π, for |x| ≥ 2²⁸, is inside an `scf.if`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def ExpandSmallFloatsPass : Pass<"plumb-expand-small-floats", "mlir::ModuleOp"> {
  let summary = "Compute on f16 and bf16 in f32";
  let description = [{
    Each operation's operands are extended and its result is rounded, so that results are those of the type's own
    arithmetic. Conversions of bf16 become integer operations, of which every processor has vectors;
    so do those of f16 where the processor has no instruction for them. Those of f64 use f32 in between.

    ```mlir
    %1 = arith.addf %0, %0 : vector<16xf16>
    ```
    becomes
    ```mlir
    %a = arith.extf %0 : vector<16xf16> to vector<16xf32>
    %b = arith.addf %a, %a : vector<16xf32>
    %1 = arith.truncf %b : vector<16xf32> to vector<16xf16>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::vector::VectorDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">
  ];
}

def ConvertLoopsToLLVMPass : Pass<"plumb-convert-loops-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert blocks, vectors, buffers and arithmetic to LLVM's dialect in one conversion";
  let description = [{
    Views become address arithmetic; then one conversion with the patterns of all dialects converts every operation, and casts
    between types fold. Loops are branches already (`convert-scf-to-cf`). Buffers that cross a function
    are bare pointers.

    ```mlir
    %1 = vector.load %0[%i] : memref<64xf32>, vector<16xf32>
    ```
    becomes
    ```mlir
    %2 = llvm.getelementptr %base[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %1 = llvm.load %2 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::func::FuncDialect", "mlir::vector::VectorDialect"];
}

def ConvertParallelToLLVMPass : Pass<"plumb-convert-parallel-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert sequences of partitioned kernels to tables of tasks";
  let description = [{
    Consecutive calls in a block, of which the first and the last are calls of partitioned kernels (`kernel.partition`), become a
    constant table of tasks as `runtime/abi/executable_abi.h` defines it, which the host runs on its threads. Kernels that are not
    partitioned share a task of one chunk. The base addresses of all arguments are in one frame, which the tasks' functions read:
    the arena, the variables, a slot of the queue, and values known at run time only. Where the host has one thread the
    executable runs the table itself.

    ```mlir
    %y = llvm.getelementptr %x[4096] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.call @plumb_kernel_0_in_chunks(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.call @plumb_kernel_1(%y) : (!llvm.ptr) -> ()
    llvm.call @plumb_kernel_2_in_chunks(%y) : (!llvm.ptr) -> ()
    ```
    becomes
    ```mlir
    llvm.store %x, %frame[0]
    %parallel = llvm.load %launch[88]
    llvm.cond_br %parallel == null, ^alone, ^host
    ^alone: llvm.call @plumb_run_tasks(@plumb_tasks_0, 3, %frame)
    ^host:  llvm.call %parallel(%launch, @plumb_tasks_0, 3, %frame)

    llvm.mlir.global constant @plumb_tasks_0 = [(@plumb_task_0, 8), (@plumb_task_1, 1), (@plumb_task_2, 4)]
    llvm.func @plumb_task_0(%frame: !llvm.ptr, %chunk: i64) {
      llvm.call @plumb_kernel_0(%frame[0] + %chunk * 1024, %frame[0] + 4096 + %chunk * 512)
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def ConvertRemainingToLoopsPass : Pass<"plumb-convert-remaining-to-loops", "mlir::ModuleOp"> {
  let summary = "Convert operations without vector code to plain loops";
  let description = [{
    Converts operations that have no `kernel.plan`, because a body does not map to vectors, say, or sizes are unknown.

    ```mlir
    linalg.copy ins(%x : memref<2xf16>) outs(%y : memref<2xf16>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c2 step %c1 {
      %0 = memref.load %x[%i] : memref<2xf16>
      memref.store %0, %y[%i] : memref<2xf16>
    }
    ```
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"];
}

def OutlineKernelsPass : Pass<"plumb-outline-kernels", "mlir::ModuleOp"> {
  let summary = "Move each kernel of a step into a function, equal kernels into one";
  let description = [{
    A kernel is a linalg operation with the fills, copies and transposes right before it and the epilogue operations after it. Its
    buffers become arguments, `llvm.noalias` where no other argument aliases them; constants move inside. Kernels that differ in
    their buffers only share one function. So do kernels that differ in the offsets of their views, such as the iterations of an
    unrolled loop over `x[:, t]`: a kernel takes a view's address (`kernel.rebase`), of which it assumes the alignment of an
    element.

    ```mlir
    device.loop @train {mode = "train"} {
      %x = device.arena.view offset 0 : memref<8x64xf32>
      %3 = memref.subview %x[0, 12] [8, 4] [1, 1] : memref<8x64xf32> to memref<8x4xf32, strided<[64, 1], offset: 12>>
      linalg.fill ins(%cst : f32) outs(%3 : memref<8x4xf32, strided<[64, 1], offset: 12>>)
      %4 = memref.subview %x[0, 16] [8, 4] [1, 1] : memref<8x64xf32> to memref<8x4xf32, strided<[64, 1], offset: 16>>
      linalg.fill ins(%cst : f32) outs(%4 : memref<8x4xf32, strided<[64, 1], offset: 16>>)
      …
    }
    ```
    becomes
    ```mlir
    device.loop @train {mode = "train"} {
      %x = device.arena.view offset 0 : memref<8x64xf32>
      %3 = memref.subview %x[0, 12] [8, 4] [1, 1] : memref<8x64xf32> to memref<8x4xf32, strided<[64, 1], offset: 12>>
      %5 = kernel.rebase %3 : memref<8x4xf32, strided<[64, 1], offset: 12>> to memref<8x4xf32, strided<[64, 1]>>
      func.call @plumb_kernel_0(%5) : (memref<8x4xf32, strided<[64, 1]>>) -> ()
      %4 = memref.subview %x[0, 16] [8, 4] [1, 1] : memref<8x64xf32> to memref<8x4xf32, strided<[64, 1], offset: 16>>
      %6 = kernel.rebase %4 : memref<8x4xf32, strided<[64, 1], offset: 16>> to memref<8x4xf32, strided<[64, 1]>>
      func.call @plumb_kernel_0(%6) : (memref<8x4xf32, strided<[64, 1]>>) -> ()
      …
    }
    func.func private @plumb_kernel_0(%x: memref<8x4xf32, strided<[64, 1]>> {llvm.noalias}) { … }
    ```
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect", "plumb::kernel::KernelDialect"];
}

def AnnotateKernelsPass : Pass<"plumb-annotate-kernels", "mlir::ModuleOp"> {
  let summary = "Name each kernel by what it computes and note what a call costs";
  let description = [{
    The name tells the kind and the extents (parallel ones, then `_by_` the reduction's) and the operations of the epilogue; a
    number is added where it is taken. `kernel.info` holds the calls in a step of each loop, two FLOPs for each multiply-add of
    contractions, the bytes of each operand once, and where the kernel comes from. `emit` writes both into the executable when
    symbols are requested, and `plumb-bench --kernels` adds times.

    ```mlir
    func.call @plumb_kernel_0(%x, %w, %y) : (memref<32x400xf32>, memref<400x120xf32>, memref<32x120xf32>) -> ()
    ```
    becomes
    ```mlir
    func.call @product_32x120x400(%x, %w, %y) : (memref<32x400xf32>, memref<400x120xf32>, memref<32x120xf32>) -> ()
    …
    func.func private @product_32x120x400(…) attributes {kernel.info = #kernel.info<calls = {train = 1 : i64},
        flops = 3072000, read = 243200, written = 15360, source = "lenet.py:38 dense.py:20">}
    ```
  }];
  let dependentDialects = ["plumb::kernel::KernelDialect"];
}

def VerifyGeneratedPass : Pass<"plumb-verify-generated", "mlir::ModuleOp"> {
  let summary = "Check that only declarations and native functions are left";
  let description = [{
    ```mlir
    device.module @net {
      device.variable @w …                        // allowed
      device.entry @train symbol("plumb_loop_train") …   // allowed; the function must exist
      llvm.func @plumb_loop_train(%launch: !llvm.ptr) { llvm.… }
      func.func @step() …                         // error: is left after codegen
    }
    ```

    On success the IR stays as it is.
  }];
}

#endif // PLUMB_COMPILER_CODEGEN_COMMON_PASSES
