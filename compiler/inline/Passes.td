// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of inline, in the order in which the stage runs them.

#ifndef PLUMB_COMPILER_INLINE_PASSES
#define PLUMB_COMPILER_INLINE_PASSES

include "mlir/Pass/PassBase.td"

def VerifyNoRecursionPass : Pass<"plumb-verify-no-recursion", "mlir::ModuleOp"> {
  let summary = "Reject functions that call themselves, naming the way";
  let description = [{
    A graph that contains itself has no finite flat form. The error stands at the call that closes the cycle, with one
    note for each call on the way:

    ```mlir
    func.func private @even(%n: tensor<i32>) -> tensor<i32> { %0 = call @odd(%n) … }
    func.func private @odd(%n: tensor<i32>) -> tensor<i32> { %0 = call @even(%n) … }
    // error: recursion: 'odd' calls 'even', which is being called already
    // note: 'even' calls 'odd' here
    ```

    A gradient counts as a call of the function that it differentiates. On success the IR stays as it is.
  }];
}

def AnnotateInliningPass : Pass<"plumb-annotate-inlining", "mlir::ModuleOp"> {
  let summary = "Say which functions stay: entries public, custom gradients uninlined";
  let description = [{
    Where the module has entries, every function that none of them starts becomes private, so that it goes once its
    calls are inlined. A function with its own gradient rule is kept as a call until autodiff has used the rule.

    ```mlir
    net.entry @train calls @step …
    func.func @step(…)
    func.func @helper(…)
    func.func @clip(…) attributes {custom_bprop = @clip_bprop}
    ```
    becomes
    ```mlir
    net.entry @train calls @step …
    func.func @step(…)
    func.func private @helper(…)
    func.func private @clip(…) attributes {custom_bprop = @clip_bprop, no_inline}
    ```
  }];
}

def KeepSharedForwardsPass : Pass<"plumb-keep-shared-forwards", "mlir::ModuleOp"> {
  let summary = "Keep calls whose forward code a gradient shares";
  let description = [{
    A call and, behind it, a gradient of the same function by the same arguments are one run of the function: its effects
    happen once. The call is kept until autodiff puts the forward code of the gradient there. Where code between the
    two writes a parameter that the function accesses, both run.

    ```mlir
    %y, %u1 = call @forward(%x, %u0) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
    %z:3 = net.value_and_grad @forward(%x, %u1) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
    ```
    becomes
    ```mlir
    %y, %u1 = call @forward(%x, %u0) {no_inline} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u)
    %z:3 = net.value_and_grad @forward(%x, %u1) {weights = [@w]} : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u, tensor<f32>)
    ```
  }];
}

def InlineCallsPass : Pass<"plumb-inline-calls", "mlir::ModuleOp"> {
  let summary = "Put bodies in the place of calls";
  let description = [{
    Callees come before callers. Calls stay that are marked `no_inline`, or whose function is, and so do calls that close a
    cycle. A private function with one call and no other user is moved instead of copied.

    ```mlir
    func.func private @square(%x: tensor<f32>) -> tensor<f32> { %0 = net.mul %x, %x … return %0 }
    func.func @step(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @square(%x) : (tensor<f32>) -> tensor<f32>
      %1 = call @square(%0) : (tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func private @square(%x: tensor<f32>) -> tensor<f32> { … }
    func.func @step(%x: tensor<f32>) -> tensor<f32> {
      %0 = net.mul %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %1 = net.mul %0, %0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    ```
  }];
}

def VerifyInlinedPass : Pass<"plumb-verify-inlined", "mlir::ModuleOp"> {
  let summary = "Check that no call is left but into functions marked no_inline";
  let description = [{
    ```mlir
    func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} { … }
    func.func @step(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @kept(%x) : (tensor<f32>) -> tensor<f32>     // allowed
      %1 = call @plain(%0) : (tensor<f32>) -> tensor<f32>    // error: is left after inlining
      …
    ```

    On success the IR stays as it is.
  }];
}

#endif // PLUMB_COMPILER_INLINE_PASSES
