// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PLUMB_NATIVE_DIALECT_TD
#define PLUMB_NATIVE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Native_Dialect : Dialect {
  let name = "native";
  let cppNamespace = "::plumb::native";
  let summary = "Functions of C and C++ that a program brings along";
  let description = [{
    A custom operator of a program is a source and the name of a function in it. Its call (`native.call`) goes through the stages
    like any other operation, first on tensors, then on buffers; `codegen` makes a native call of it, and `emit` compiles the
    source and links the object.

    ```
    ops.Custom ──(specialize)──► native.call on tensors ──(lower)──► on buffers ──(codegen)──► llvm.call ──(emit)──► cc, lld
    ```

    The function has the signature
    `int f(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra)`. Its
    parameters are the inputs, then the outputs, contiguous each; `stream` and `extra` are null. It fills the outputs and
    returns a number, its status: zero where all is well.

    Neighbours: `net` and `linalg` make the inputs, `device` holds the loop around.
  }];
  let useDefaultAttributePrinterParser = 1;
}

#endif // PLUMB_NATIVE_DIALECT_TD
