// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the specialize stage.

#ifndef PLUMB_COMPILER_SPECIALIZE_PASSES_TD
#define PLUMB_COMPILER_SPECIALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializeProgramsPass
    : Pass<"plumb-specialize-programs", "::mlir::ModuleOp"> {
  let summary = "Interpret each entry's program and write its typed functions";
  let description = [{
    Interprets Python-level functions over abstract values. What is known now
    (numbers, strings, cells, functions, shapes) is computed with; what is a
    tensor becomes typed operations. Each function is written once per signature
    of a call; branches on constants and loops over constants disappear, those
    on tensors become `scf.if` and `scf.while`.

    Before:
    ```mlir
    net.python.func @double(x) names {} {
      %0 = net.python.load "x"
      %1 = net.python.operator "add"(%0, %0)
      net.python.return %1
    }
    net.entry @train calls @double (tensor<4xf32>)
    ```
    After:
    ```mlir
    func.func private @double_1(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = net.add %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @train.step(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @double_1(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    net.entry @train calls @train.step (tensor<4xf32>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::plumb::check::CheckDialect", "::plumb::native::NativeDialect",
    "::plumb::net::NetDialect"
  ];
}

def RemovePythonLevelPass
    : Pass<"plumb-remove-python-level", "::mlir::ModuleOp"> {
  let summary = "Remove Python functions, cells and namespaces";
  let description = [{
    After specialisation nothing calls them. Parameters stay: they are the
    program's state, whether this step touches them or not.

    Before:
    ```mlir
    net.cell @network class "Net" members {w = @w} methods {}
    net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>
    ```
    After:
    ```mlir
    net.parameter @w : tensor<4xf32> = dense<0.0> : tensor<4xf32>
    ```
  }];
}

def InsertComplexLayoutsPass : Pass<"plumb-insert-complex-layouts", "::mlir::ModuleOp"> {
  let summary = "Store complex tensors that the host sees as pairs of floats";
  let description = [{
    A complex column, result or parameter is a real tensor for the host, with the parts of each number along a last axis of
    two; the program converts between both.

    Before:
    ```mlir
    func.func @step(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
      %0 = net.conj %x : tensor<4xcomplex<f32>>
      return %0 : tensor<4xcomplex<f32>>
    }
    net.entry @train calls @step (tensor<4xcomplex<f32>>)
    ```
    After:
    ```mlir
    func.func @step(%h: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = net.slice %h from [0, 0] to [4, 1] by [1, 1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %1 = net.reshape %0 to [4] : (tensor<4x1xf32>) -> tensor<4xf32>
      %2 = net.slice %h from [0, 1] to [4, 2] by [1, 1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %3 = net.reshape %2 to [4] : (tensor<4x1xf32>) -> tensor<4xf32>
      %x = net.complex %1, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
      %4 = net.conj %x : tensor<4xcomplex<f32>>
      %5 = net.real %4 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
      %6 = net.imag %4 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
      %7 = net.stack %5, %6 axis 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x2xf32>
      return %7 : tensor<4x2xf32>
    }
    net.entry @train calls @step (tensor<4x2xf32>)
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def ExpandComplexPass : Pass<"plumb-expand-complex", "::mlir::ModuleOp"> {
  let summary = "Rewrite complex numbers to pairs of real ones";
  let description = [{
    Each complex tensor becomes two real ones, its real and its imaginary part; functions, branches, loops and gradients take
    and yield both. A module without complex numbers stays as it is.

    Before:
    ```mlir
    func.func private @turn(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
      %0 = net.conj %x : tensor<4xcomplex<f32>>
      return %0 : tensor<4xcomplex<f32>>
    }
    ```
    After:
    ```mlir
    func.func private @turn(%re: tensor<4xf32>, %im: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = net.neg %im : tensor<4xf32>
      return %re, %0 : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::plumb::net::NetDialect"
  ];
}

def VerifySpecializedPass
    : Pass<"plumb-verify-specialized", "::mlir::ModuleOp"> {
  let summary = "Check that every type is known and no Python object is left";
  let description = [{
    No value of unknown type or shape and no Python-level operation is left, and
    every entry calls a function of the types that the entry gives it. Changes
    nothing.
  }];
}

#endif // PLUMB_COMPILER_SPECIALIZE_PASSES_TD
