// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the stage `sink`.

#ifndef PLUMB_COMPILER_SINK_PASSES_TD
#define PLUMB_COMPILER_SINK_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertChecksToReportsPass : Pass<"plumb-convert-checks-to-reports", "::mlir::ModuleOp"> {
  let summary = "Convert checks of an entry to reports that count differences";
  let description = [{
    A test program's checks (`check.expect_eq`, `check.expect_close`) become further results of the entry's function and
    further reports of the entry: the number of elements that differ, zero where all is well.

    ```mlir
    check.expect_eq %a, %b : tensor<2xf32>
    return
    // becomes
    %d = net.not_equal %a, %b : tensor<2xf32>
    …
    return %count : tensor<i32>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def ElideStateTokensPass : Pass<"plumb-elide-state-tokens", "::mlir::ModuleOp"> {
  let summary = "Remove state tokens, whose order is that of the operations now";
  let description = [{
    Tokens made the order of effects data, so that the passes before could move everything else freely. From here on
    effects keep their order by themselves. A token is defined before it is used, so the order of the operations in a
    block is one that the tokens allow, and dropping them loses nothing.

    ```mlir
    %u = net.token : !net.u
    %w, %u1 = net.read @w after %u : tensor<4xf32>
    %u2 = net.assign @w, %x after %u1 : tensor<4xf32>
    return %w, %u2 : tensor<4xf32>, !net.u
    // becomes
    %w = net.read @w : tensor<4xf32>
    net.assign @w, %x : tensor<4xf32>
    return %w : tensor<4xf32>
    ```
  }];
}

def ConvertNetToDevicePass : Pass<"plumb-convert-net-to-device", "::mlir::ModuleOp"> {
  let summary = "Convert entries and parameters to a device module";
  let description = [{
    Every `net.entry` becomes a `device.loop` around a copy of its function: the inputs come from `device.get_next`, the
    results go to `device.emit`, parameters are variables. A parameter becomes a variable when a loop uses it or when it is
    trainable. An entry without inputs loops without a queue. Loops of one program share the module's variables. A report
    or queue whose name is taken gets its loop's name in front: `@eval.loss`. A `net.print` becomes a
    `device.print` where it stands.

    ```mlir
    net.parameter @w : tensor<4xf32> = #net.init<"one", [], stream = 0>
    net.entry @train calls @step (tensor<4xf32>) {mode = "train", reports = ["loss"]}
    func.func @step(%x: tensor<4xf32>) -> tensor<f32> {…}
    // becomes
    device.module @train {
      device.variable @w : tensor<4xf32> = #device.init<"one", []> {trainable = true}
      device.queue @train columns ["arg0"] (tensor<4xf32>) depth(16)
      device.report @loss : tensor<f32>
      device.loop @train {mode = "train"} {
        %x = device.get_next @train : tensor<4xf32>
        …
        device.emit @loss, %loss : tensor<f32>
        device.yield
      }
    }
    ```
  }];
  let dependentDialects = ["::plumb::device::DeviceDialect"];
}

def WrapAssertedEffectsPass : Pass<"plumb-wrap-asserted-effects", "::mlir::ModuleOp"> {
  let summary = "Skip all effects behind an assertion that failed";
  let description = [{
    Behind a `check.assert … at_once` that fails, variables keep their values, nothing is printed, loops on tensors end and no
    other assertion fails. The step computes on otherwise; nobody sees what.

    ```mlir
    check.assert %n, "ValueError: negative" at_once : tensor<i32>
    device.write @w, %x : tensor<4xf32>
    // becomes
    check.assert %n, "ValueError: negative" at_once : tensor<i32>
    %failed = net.not_equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %old = device.read @w : tensor<4xf32>
    %new = net.select %failed, %old, %x : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    device.write @w, %new : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::plumb::net::NetDialect"];
}

def AnnotateColumnRangesPass : Pass<"plumb-annotate-column-ranges", "::mlir::ModuleOp"> {
  let summary = "Note on each queue which classes and indices its columns may hold";
  let description = [{
    A column whose values choose a class in every step (the labels of `net.sparse_softmax_cross_entropy`) may only hold
    numbers from 0 to the number of classes less one; one whose values are the indices of a `net.gather` only those of the
    axis. The queue notes the range per column, and what it is for, and the host checks batches as it fills slots: the loop
    itself need not.

    ```mlir
    device.queue @train columns ["image", "label"] (tensor<32x1x32x32xf32>, tensor<32xi32>) depth(16)
    // becomes, where the scores have ten columns,
    device.queue @train columns ["image", "label"] (tensor<32x1x32x32xf32>, tensor<32xi32>) depth(16)
      {device.ranges = [{}, {highest = 9 : i64, lowest = 0 : i64, use = ""} ]}
    ```
  }];
}

def InsertIndexChecksPass : Pass<"plumb-insert-index-checks", "::mlir::ModuleOp"> {
  let summary = "Report indices and classes out of range in each step";
  let description = [{
    Indices that the host has not checked as a column's and that are not in range by how they are computed (constants,
    positions of a greatest element, sums and bounds of such) are checked in the step: their least and their greatest, as far
    as needed, are emitted to reports with a `device.range`, and a `device.continue_if` ends the launch where they lie
    outside. The host makes an error of it, with the use and the line that the range names. Branches and loops hand the
    extremes out as further results. Computed classes of `net.sparse_softmax_cross_entropy` are checked likewise.
    The number of a `check.assert` must be zero; its range has the `error` in words.

    ```mlir
    %y = net.gather %x, %i axis 0 : (tensor<50x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
    // becomes, in a module with
    // device.report @check : tensor<i32> {device.range = {highest = 49 : i64, lowest = 0 : i64, use = "indices …"}}
    // and one more for the least,
    %greatest = net.reduce_max %i over [0] : (tensor<4xi32>) -> tensor<i32>
    %y = net.gather %x, %i axis 0 : (tensor<50x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
    device.emit @check, %greatest : tensor<i32>
    %last = net.constant dense<49> : tensor<i32>
    %inside = net.less_equal %greatest, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    device.continue_if %inside : tensor<i1>
    ```
  }];
  let dependentDialects = ["::plumb::net::NetDialect"];
}

def VerifySunkPass : Pass<"plumb-verify-sunk", "::mlir::ModuleOp"> {
  let summary = "Check that the host has nothing left to do per step";
  let description = [{
    The promise of the stage: the module holds device modules only, and a loop holds only what a device can do by itself:
    operations of `device`, `scf`, `arith` and `tensor`, and the stateless ones of `net`.

    ```mlir
    device.loop @train {mode = "train"} {
      %w = net.read @w : tensor<4xf32> // error: state that is no variable of the device
      device.yield
    }
    ```
  }];
}

#endif // PLUMB_COMPILER_SINK_PASSES_TD
