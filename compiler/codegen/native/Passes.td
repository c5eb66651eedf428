// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of codegen for functions that the program brings along.

#ifndef PLUMB_COMPILER_CODEGEN_NATIVE_PASSES_TD
#define PLUMB_COMPILER_CODEGEN_NATIVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNativeCallsToLLVMPass : Pass<"plumb-convert-native-calls-to-llvm", "mlir::ModuleOp"> {
  let summary = "Turn calls of functions of a source into native calls";
  let description = [{
    Each `native.call` on buffers becomes a call of a function that puts ranks, shapes and dtypes into arrays of its
    frame and calls the function of the source, which is declared with its source as an attribute.

    ```mlir
    native.call "scale" of #source ["float32", "float32"]
        ins(%x : memref<4xf32>) outs(%y, %s : memref<4xf32>, memref<i32>)
    ```
    becomes
    ```mlir
    llvm.func @plumb_native_scale(i32, !llvm.ptr, …) -> i32 attributes {
        native.function = "scale", native.source = #source}
    llvm.func @plumb_call_scale(%x: !llvm.ptr, %y: !llvm.ptr, %s: !llvm.ptr) {
      …
      %status = llvm.call @plumb_native_scale(%nparam, %params, %ndims, %shapes, %dtypes, %null, %null)
      llvm.store %status, %s
      llvm.return
    }
    llvm.call @plumb_call_scale(%px, %py, %ps)
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect", "mlir::arith::ArithDialect"];
}

#endif // PLUMB_COMPILER_CODEGEN_NATIVE_PASSES_TD
