// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the resolve stage.

#ifndef PLUMB_COMPILER_RESOLVE_PASSES_TD
#define PLUMB_COMPILER_RESOLVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ResolveNamesPass : Pass<"plumb-resolve-names", "::mlir::ModuleOp"> {
  let summary = "Bind names that are not local to the objects they mean";
  let description = [{
    Loads of globals, closure variables and builtins become constants; loads of
    locals stay. An unknown name is an error at its line, with the known name
    that is nearest.

    Before:
    ```mlir
    net.python.func @f(x) names {scale = 2.0 : f64} {
      %0 = net.python.load "scale"
      %1 = net.python.load "x"
    }
    ```
    After:
    ```mlir
    net.python.func @f(x) names {scale = 2.0 : f64} {
      %0 = net.python.constant 2.0 : f64
      %1 = net.python.load "x"
    }
    ```
  }];
}

def ResolveAttributesPass : Pass<"plumb-resolve-attributes", "::mlir::ModuleOp"> {
  let summary = "Follow attribute chains on modules and cells";
  let description = [{
    An attribute of a known module or cell becomes the object it names; a cell's
    method becomes a bound method. Attributes of anything else stay.

    Before:
    ```mlir
    %0 = net.python.constant @ops
    %1 = net.python.getattr %0, "reshape"
    ```
    After:
    ```mlir
    %1 = net.python.constant #net.primitive<"reshape">
    ```
  }];
}

def RemoveUnreachableSymbolsPass
    : Pass<"plumb-remove-unreachable-symbols", "::mlir::ModuleOp"> {
  let summary = "Remove functions, cells and modules that no entry reaches";
  let description = [{
    Follows symbols from the entries. Parameters stay: they are the program's
    state.

    Before:
    ```mlir
    net.python.func @used(x) {…}
    net.python.func @unused(x) {…}
    net.entry @train calls @used (tensor<4xf32>)
    ```
    After:
    ```mlir
    net.python.func @used(x) {…}
    net.entry @train calls @used (tensor<4xf32>)
    ```
  }];
}

def VerifyResolvedPass : Pass<"plumb-verify-resolved", "::mlir::ModuleOp"> {
  let summary = "Check that every name is bound";
  let description = [{
    Every loaded name is local and every object referred to is declared. Changes
    nothing.
  }];
}

#endif // PLUMB_COMPILER_RESOLVE_PASSES_TD
