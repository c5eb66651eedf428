// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of codegen that serve every processor.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_PASSES
#define PLUMB_COMPILER_CODEGEN_COMMON_PASSES

include "mlir/Pass/PassBase.td"

def ConvertDeviceToLLVMPass : Pass<"plumb-convert-device-to-llvm", "mlir::ModuleOp"> {
  let summary = "Turn each device.loop into a native function with its own loop";
  let description = [{
    The function follows `runtime/abi/executable_abi.h`: before each step it looks at the count of steps, the stop flag,
    the room for a report and the batch that should be there; host callbacks are only on the slow paths. After the step
    it publishes the report, then gives the batch back. The step's own operations move inside as they are, and their
    buffers become addresses in the arena, the variables, the slot and the record.

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
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect", "mlir::linalg::LinalgDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">
  ];
}

def ExpandMathPass : Pass<"plumb-expand-math", "mlir::ModuleOp"> {
  let summary = "Replace math functions by polynomials that vectors can run";
  let description = [{
    `exp`, `log`, `tanh`, `erf` and their like on f32, scalar or vector, become polynomials of arithmetic operations, so
    that no vector loop falls apart into library calls and the executable needs no libm. Powers become products and
    roots where the exponent is a constant that allows it. What has no polynomial stays, for libm.

    ```mlir
    %1 = math.exp %0 : vector<16xf32>
    ```
    becomes some fifteen `arith` and `math.fma` operations on `vector<16xf32>`. `sin` and `cos` reduce their argument
    exactly, however large it is; digits of π for |x| ≥ 2²⁸ stand behind an `scf.if`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def ExpandSmallFloatsPass : Pass<"plumb-expand-small-floats", "mlir::ModuleOp"> {
  let summary = "Compute on f16 and bf16 by way of f32";
  let description = [{
    Each operation's operands are extended and its result is rounded, so that results are those of the type's own
    arithmetic. Conversions of bf16 become integer operations, of which every processor has vectors;
    so do those of f16 where the processor has no instruction for them. Those of f64 go by way of f32.

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
  let summary = "Convert blocks, vectors, buffers and arithmetic to LLVM's dialect in one go";
  let description = [{
    Views become address arithmetic; then one conversion with the patterns of all dialects takes every operation at once,
    and the casts between types dissolve. Loops are branches already (`convert-scf-to-cf`). Buffers that cross a function
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
  let summary = "Turn runs of kernels that are shared out into stages";
  let description = [{
    Calls that follow each other in a block, the first and the last of them of kernels in grains (`device.grains`, which
    SplitKernels declares), become a constant table of stages as `runtime/abi/executable_abi.h` has it, which the host runs on
    its threads. Whole kernels between them share a stage of one grain. What the arguments are counted from lies in one frame,
    which the stages' functions read: the arena, the variables, a slot of the queue, and what is known at run time only. Where
    the host has one thread the executable runs the table itself.

    ```mlir
    %y = llvm.getelementptr %x[4096] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.call @plumb_kernel_0_in_grains(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.call @plumb_kernel_1(%y) : (!llvm.ptr) -> ()
    llvm.call @plumb_kernel_2_in_grains(%y) : (!llvm.ptr) -> ()
    ```
    becomes
    ```mlir
    llvm.store %x, %frame[0]
    %parallel = llvm.load %launch[88]
    llvm.cond_br %parallel == null, ^alone, ^host
    ^alone: llvm.call @plumb_run_stages(@plumb_stages_0, 3, %frame)
    ^host:  llvm.call %parallel(%launch, @plumb_stages_0, 3, %frame)

    llvm.mlir.global constant @plumb_stages_0 = [(@plumb_stage_0, 8), (@plumb_stage_1, 1), (@plumb_stage_2, 4)]
    llvm.func @plumb_stage_0(%frame: !llvm.ptr, %grain: i64) {
      llvm.call @plumb_kernel_0(%frame[0] + %grain * 1024, %frame[0] + 4096 + %grain * 512)
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def ConvertRestToLoopsPass : Pass<"plumb-convert-rest-to-loops", "mlir::ModuleOp"> {
  let summary = "Write operations that no emitter took as plain loops";
  let description = [{
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
    A kernel is a linalg operation with the fills, copies and transposes right before it. Its buffers become arguments,
    `llvm.noalias` where no other argument shares their bytes; constants move inside. Kernels that are equal but for
    their buffers share one function.

    ```mlir
    device.loop @train {mode = "train"} {
      %0 = device.arena.view offset 0 : memref<64xf32>
      linalg.fill ins(%cst : f32) outs(%0 : memref<64xf32>)
      …
    }
    ```
    becomes
    ```mlir
    device.loop @train {mode = "train"} {
      %0 = device.arena.view offset 0 : memref<64xf32>
      func.call @plumb_kernel_0(%0) : (memref<64xf32>) -> ()
      …
    }
    func.func private @plumb_kernel_0(%x: memref<64xf32> {llvm.noalias}) { … }
    ```
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect"];
}

def AnnotateKernelsPass : Pass<"plumb-annotate-kernels", "mlir::ModuleOp"> {
  let summary = "Name each kernel by what it does and note what a call costs";
  let description = [{
    The name tells the kind and the extents (parallel ones, then `_by_` the reduction's) and what goes with it; a number is
    added where it is taken. The note `device.kernel` holds the calls in a step of each loop, two FLOPs for each
    multiply-add of products and convolutions, the bytes of each operand once, and where the kernel comes from. `emit`
    keeps both in the executable when symbols are wanted, and `plumb-bench --kernels` sets times beside them.

    ```mlir
    func.call @plumb_kernel_0(%x, %w, %y) : (memref<32x400xf32>, memref<400x120xf32>, memref<32x120xf32>) -> ()
    ```
    becomes
    ```mlir
    func.call @product_32x120x400(%x, %w, %y) : (memref<32x400xf32>, memref<400x120xf32>, memref<32x120xf32>) -> ()
    …
    func.func private @product_32x120x400(…) attributes {device.kernel = {calls = {train = 1 : i64},
        flops = 3072000 : i64, read = 243200 : i64, source = "lenet.py:38 dense.py:20", written = 15360 : i64}}
    ```
  }];
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
