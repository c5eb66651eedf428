// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of autodiff, in the order in which the stage runs them.

#ifndef PLUMB_COMPILER_AUTODIFF_PASSES
#define PLUMB_COMPILER_AUTODIFF_PASSES

include "mlir/Pass/PassBase.td"

def HoistLoopWritesPass : Pass<"plumb-hoist-loop-writes", "mlir::ModuleOp"> {
  let summary = "Write parameters behind differentiated loops, which carry them";
  let description = [{
    In a function that is differentiated, a loop whose only effects on memory are reads and writes of parameters carries
    those that it writes as state, and they are written once, behind it: the reverse of a loop knows of its state. What
    is read is the carried value, but its adjoint is that of the read before the loop.

    ```mlir
    %u1 = scf.for %i = %a to %b step %c iter_args(%u = %u0) -> !net.u {
      %w, %v = net.read @w after %u : tensor<f32>
      %y = net.mul %w, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %v1 = net.assign @w, %y after %v : tensor<f32>
      scf.yield %v1 : !net.u
    }
    ```
    becomes
    ```mlir
    %w0, %v = net.read @w after %u0 : tensor<f32>
    %r:2 = scf.for %i = %a to %b step %c iter_args(%u = %v, %p = %w0) -> (!net.u, tensor<f32>) {
      %w = net.straight_through %p, %w0 : tensor<f32>
      %y = net.mul %w, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %u, %y : !net.u, tensor<f32>
    }
    %u1 = net.assign @w, %r#1 after %r#0 : tensor<f32>
    ```
  }];
}

def HoistLoopReadsPass : Pass<"plumb-hoist-loop-reads", "mlir::ModuleOp"> {
  let summary = "Read parameters before loops that do not write them";
  let description = [{
    A loop whose only effect on memory is to read it sees the same parameters in every step. Its reads move before it,
    which leaves the loop free of effects, as the reverse of a loop requires.

    ```mlir
    %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %x0, %u = %u0) -> (tensor<f32>, !net.u) {
      %w, %u1 = net.read @w after %u : tensor<f32>
      %y = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %y, %u1 : tensor<f32>, !net.u
    }
    return %r#0, %r#1 : tensor<f32>, !net.u
    ```
    becomes
    ```mlir
    %w, %u1 = net.read @w after %u0 : tensor<f32>
    %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %x0, %u = %u1) -> (tensor<f32>, !net.u) {
      %y = net.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %y, %u : tensor<f32>, !net.u
    }
    return %r#0, %u1 : tensor<f32>, !net.u
    ```
  }];
}

def CountLoopsPass : Pass<"plumb-count-loops", "mlir::ModuleOp"> {
  let summary = "Make loops that count ones whose number of steps is known before the first";
  let description = [{
    A `scf.while` whose condition compares a signed number that it carries with one from outside of it, and whose steps
    add a constant to that number, becomes a `scf.for`; whatever else the condition passes on is computed in each step
    and behind the loop. The number of steps is a constant where both ends are; else they
    are read at run time, if the steps are of 1 and nothing can run over.

    ```mlir
    %r:2 = scf.while (%x = %x0, %t = %t0) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>) {
      %goes_on = net.less %t, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c = tensor.extract %goes_on[] : tensor<i1>
      scf.condition(%c) %x, %t : tensor<f32>, tensor<i32>
    } do {
    ^bb0(%x: tensor<f32>, %t: tensor<i32>):
      %y = net.tanh %x : tensor<f32>
      %next = net.add %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      scf.yield %y, %next : tensor<f32>, tensor<i32>
    }
    ```
    becomes, where `%t0` is 0 and `%n` is 10,
    ```mlir
    %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %x0) -> (tensor<f32>) {
      %y = net.tanh %x : tensor<f32>
      scf.yield %y : tensor<f32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ExpandGradientsPass : Pass<"plumb-expand-gradients", "mlir::ModuleOp"> {
  let summary = "Replace gradients by the forward code and its reverse";
  let description = [{
    Places the body of the differentiated function where `net.value_and_grad` stands, and behind it the reverse walk of
    that body: each op's own rule (`DifferentiableOpInterface`) turns the adjoints of its results into those of its
    operands, and adjoints of a value with several uses are summed. The gradient by a parameter is the sum over the
    adjoints of its reads, as far as no write stands before them. Branches and loops are reversed, functions with a rule
    of their own (`custom_bprop`) use it, and inner gradients are expanded before outer ones.

    ```mlir
    func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
      %y = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }
    func.func @step(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %y, %dx = net.value_and_grad @loss(%x) {argnums = [0]} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %y, %dx : tensor<f32>, tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func @step(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %y = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %one = net.constant dense<1.0> : tensor<f32>
      %a = net.mul %one, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %b = net.mul %one, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %dx = net.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %y, %dx : tensor<f32>, tensor<f32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::plumb::net::NetDialect"
  ];
}

def ElideCustomGradientsPass : Pass<"plumb-elide-custom-gradients", "mlir::ModuleOp"> {
  let summary = "Forget gradient rules of functions once they are used";
  let description = [{
    Functions with a rule of their own were kept as calls for autodiff's sake. Now they may be inlined. And
    `net.straight_through` is its value.

    ```mlir
    func.func private @clip(%x: tensor<f32>) -> tensor<f32> attributes {custom_bprop = @clip_bprop, no_inline} { … }
    ```
    becomes
    ```mlir
    func.func private @clip(%x: tensor<f32>) -> tensor<f32> { … }
    ```
  }];
}

def VerifyDifferentiatedPass : Pass<"plumb-verify-differentiated", "mlir::ModuleOp"> {
  let summary = "Check that no gradient is left to expand";
  let description = [{
    ```mlir
    %y, %dx = net.value_and_grad @loss(%x) …   // error: is left after autodiff
    ```

    On success the IR stays as it is.
  }];
}

#endif // PLUMB_COMPILER_AUTODIFF_PASSES
