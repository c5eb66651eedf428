// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that `plumbc --tune` needs: plans to measure, and kernels that measure themselves.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_TUNE_PASSES
#define PLUMB_COMPILER_CODEGEN_CPU_TUNE_PASSES

include "mlir/Pass/PassBase.td"

def DumpPlansPass : Pass<"plumb-dump-plans", "mlir::ModuleOp"> {
  let summary = "List the plans that each kernel could have";
  let description = [{
    Writes a JSON array with an object per function: its name, its line, its hash and, for its operation with the most estimated
    cycles, the plan that it has and others: those with the next fewest cycles, and the same without prefetches or unrolled by
    another factor. `same_sums` says whether a plan adds the terms of every sum in the order of the first one. Changes no IR.

    ```mlir
    func.func @product(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
      linalg.matmul {kernel.plan = #kernel.plan<…>} ins(%a, %b : …) outs(%c : …)
    ```
    prints
    ```json
    [ {"name": "product", "source": "", "target": "x86-64-v4", "kernel": "0fd0a7c6…", "operation": 0, "runs": 1,
      "plans": [{"plan": "#kernel.plan<…>", "cycles": 1620, "same_sums": true}, …]} ]
    ```
  }];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">,
    Option<"output", "output", "std::string", "\"-\"", "File to write; - is standard output">
  ];
}

def InsertKernelTimersPass : Pass<"plumb-insert-kernel-timers", "mlir::ModuleOp"> {
  let summary = "Let kernels measure their own times";
  let description = [{
    Each kernel, which is a function with `kernel.info`, reads the processor's counter when it starts and when it returns, and
    keeps the last 1024 differences in a global variable `plumb_timer.<kernel>`, whose first element counts them.
    `plumb-bench --kernels` reads it. Runs with `plumbc --symbols=timers` only.

    ```mlir
    llvm.func internal @product(%x: !llvm.ptr) attributes {kernel.info = …} {
      …
      llvm.return
    }
    ```
    becomes
    ```mlir
    llvm.mlir.global internal @plumb_timer.product() {section = ".data"} : !llvm.array<1025 x i64>
    llvm.func internal @product(%x: !llvm.ptr) attributes {kernel.info = …} {
      %start = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
      …
      %end = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
      %ticks = llvm.sub %end, %start : i64
      llvm.store %ticks, %timer[1 + %count % 1024]
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
      "Processor to emit for; default: the device module's target, else this machine">
  ];
}

#endif // PLUMB_COMPILER_CODEGEN_CPU_TUNE_PASSES
