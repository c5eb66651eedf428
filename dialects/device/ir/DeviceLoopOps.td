// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sunk loop and its dealings with the host.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICELOOPOPS_TD
#define PLUMB_DIALECTS_DEVICE_IR_DEVICELOOPOPS_TD

include "dialects/device/ir/DeviceBase.td"

def OpGroupDeviceLoopOps : OpDocGroup {
  let summary = "The loop";
  let description = "What runs on the device without the host: the loop, the batch it pulls, the reports it pushes.";
}

let opDocGroup = OpGroupDeviceLoopOps in {

def Device_LoopOp : Device_Op<"loop", [
    HasParent<"ModuleOp">, IsolatedFromAbove, NoRegionArguments, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "Runs a step again and again, without the host.";
  let description = [{
    The body is one step. A launch runs it at most `sink_size` times, the number that the host gives at launch time; the
    attributes `sink_size` and `epochs` are the program's own wishes, -1 for the whole data set. The loop also ends when
    the queue is closed and empty, when the host asks it to stop, or when a `device.continue_if` is false.
    `mode` is `train`, `eval` or `predict`. A loop carries no values from step to step: state is in variables.
    The name lies in a name space of its own, so that a loop and its queue may both be called `train`.
    `lower` sets `record_bytes`, the size of a step's record of reports, and `print_bytes`, that of a record of a print.

    Constraints:
    1. (`loop_c1`) `mode` is one of the three.
    2. (`loop_c2`) at most one `device.get_next`.
    3. (`loop_c3`) no report is emitted twice.
    4. (`loop_c4`) `sink_size` is -1 or positive, `epochs` is positive.

    Example:
    ```mlir
    device.loop @train {mode = "train", sink_size = 1000 : i64, epochs = 10 : i64} {
      %image, %label = device.get_next @train : tensor<32x1x32x32xf32>, tensor<32xi32>
      device.yield
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$loop_name,
    StrAttr:$mode,
    DefaultValuedAttr<I64Attr, "-1">:$sink_size,
    DefaultValuedAttr<I64Attr, "1">:$epochs,
    OptionalAttr<I64Attr>:$record_bytes,
    OptionalAttr<I64Attr>:$print_bytes
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$loop_name attr-dict custom<StepBody>($body)";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "llvm::StringRef":$name, "llvm::StringRef":$mode)>];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The op that pulls the step's batch, or null.
    GetNextOp getGetNext();
  }];
}

def Device_GetNextOp : Device_Op<"get_next", [
    HasParent<"LoopOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead<Device_QueueResource>, MemWrite<Device_QueueResource>]>]> {
  let summary = "Pulls the next batch, one value per column.";
  let description = [{
    Waits while the queue is empty. When the queue is closed or the host asks to stop, the launch ends before the step
    begins, so that the count of steps stays true. Below `lower` the values are the slot itself: they are read-only and
    live until the end of the step, when the slot goes back to the producer.

    Constraints:
    1. (`get_next_c1`) the results have the queue's column shapes and element types.

    Example:
    ```mlir
    %image, %label = device.get_next @train : tensor<32x1x32x32xf32>, tensor<32xi32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$queue);
  let results = (outs Variadic<Device_Value>:$batch);
  let assemblyFormat = "$queue attr-dict `:` type($batch)";
}

def Device_EmitOp : Device_Op<"emit", [
    HasParent<"LoopOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemWrite<Device_ReportResource>]>]> {
  let summary = "Puts a value into the step's report.";
  let description = [{
    Copies the value into the step's record. The record becomes visible to the host as a whole when the step ends.

    Constraints:
    1. (`emit_c1`) the value has the report's shape and element type.

    Example:
    ```mlir
    device.emit @loss, %loss : tensor<f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$report, Arg<Device_Value, "the value", [MemRead]>:$value);
  let assemblyFormat = "$report `,` $value attr-dict `:` type($value)";
}

def Device_PrintOp : Device_Op<"print", [MemoryEffects<[MemWrite<Device_ReportResource>]>]> {
  let summary = "Prints values while the loop runs.";
  let description = [{
    Shows `texts` with the values between them, each time that it is executed: in a branch or a loop of the step any number of
    times. The step copies the values into a record of the ring of prints, which the host drains without stopping the loop; it
    waits only where the ring is full, so nothing is lost. What a step prints, in the order of the program, the host shows
    before it hears of the step's reports. `types` are the values' types as the program knows them: memory knows no signs.
    `lower` sets `offsets`, the places of the values within a record, which starts with the step's number and the print's own
    in the loop.

    Constraints:
    1. (`print_c1`) there is one text more than values, and a type for each value, with its shape and element type.
    2. (`print_c2`) it stands in a `device.loop`.
    3. (`print_c3`) where there are offsets, there is one per value, and each is at least 16.

    Example:
    ```mlir
    device.print ["loss ", "\0A"] (%loss) as (tensor<f32>) : tensor<f32>
    ```
  }];
  let arguments = (ins StrArrayAttr:$texts, TypeArrayAttr:$types, OptionalAttr<DenseI64ArrayAttr>:$offsets,
                       Arg<Variadic<Device_Value>, "the values", [MemRead]>:$values);
  let assemblyFormat = [{
    $texts `(` $values `)` `as` custom<ColumnTypes>($types) attr-dict (`:` type($values)^)?
  }];
  let hasVerifier = 1;
}

def Device_ContinueIfOp : Device_Op<"continue_if", [
    HasParent<"LoopOp">, MemoryEffects<[MemRead<Device_QueueResource>, MemWrite<Device_QueueResource>]>]> {
  let summary = "Ends the launch after this step unless the condition holds.";
  let description = [{
    Stop rules are data: a guard against NaN, a loss that is low enough, a limit on steps. The step itself still counts,
    its writes and reports stand, and the launch's reason is `guard`.

    Example:
    ```mlir
    device.continue_if %finite : tensor<i1>
    ```
  }];
  let arguments = (ins Arg<Device_Condition, "whether to go on", [MemRead]>:$condition);
  let assemblyFormat = "$condition attr-dict `:` type($condition)";
}

def Device_YieldOp : Device_Op<"yield", [HasParent<"LoopOp">, Pure, Terminator]> {
  let summary = "Ends a step.";
  let description = [{
    Publishes the step's record of reports, gives the batch's slot back and begins the next step, if there is one.

    Example:
    ```mlir
    device.yield
    ```
  }];
  let assemblyFormat = "attr-dict";
}

} // let opDocGroup

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICELOOPOPS_TD
