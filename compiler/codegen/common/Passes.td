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
    becomes some fifteen `arith` and `math.fma` operations on `vector<16xf32>`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::vector::VectorDialect"];
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
