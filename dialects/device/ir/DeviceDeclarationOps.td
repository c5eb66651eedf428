// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device module declares: variables, queues, reports, entries.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICEDECLARATIONOPS_TD
#define PLUMB_DIALECTS_DEVICE_IR_DEVICEDECLARATIONOPS_TD

include "dialects/device/ir/DeviceAttrs.td"

def OpGroupDeviceDeclarationOps : OpDocGroup {
  let summary = "Declarations";
  let description = "What a device holds, by name. The host reads all of it from the executable's manifest.";
}

let opDocGroup = OpGroupDeviceDeclarationOps in {

def Device_ModuleOp : Device_Op<"module", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, Symbol, SymbolTable]> {
  let summary = "Holds everything that one device keeps and runs.";
  let description = [{
    A symbol table of variables, queues and reports, followed by the loops that use them. Loops of one module share its
    variables: `train` writes the weights that `eval` reads. `target` names the processor that `codegen` compiles for.

    `lower` adds the memory plan: `variables_bytes` of state, `arena_bytes` of scratch memory shared by all loops,
    `arena_lower_bound`, the most bytes that are ever alive together, and `arena_buffers`, the table of buffers.

    Constraints:
    1. (`module_c1`) no two loops or entries carry one name.

    Example:
    ```mlir
    device.module @lenet target("x86-64-v4") {
      device.variable @step : tensor<i32> = dense<0> : tensor<i32>
      device.loop @train {mode = "train"} {
        device.yield
      }
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$target,
    OptionalAttr<I64Attr>:$variables_bytes,
    OptionalAttr<I64Attr>:$arena_bytes,
    OptionalAttr<I64Attr>:$arena_lower_bound,
    OptionalAttr<TypedArrayAttrBase<Device_BufferAttr, "array of #device.buffer">>:$arena_buffers
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name (`target` `(` $target^ `)`)? attr-dict-with-keyword $body";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "llvm::StringRef":$name)>];
  let hasRegionVerifier = 1;
}

def Device_VariableOp : Device_Op<"variable", [HasParent<"ModuleOp">, Symbol]> {
  let summary = "Declares state that outlives a launch.";
  let description = [{
    Weights, optimizer moments, step counters, states of random generators. The runtime sets the variable to its initial
    value when a session starts, and checkpoints hold it by its name. `trainable` marks what an optimizer updates.
    `lower` sets `offset`, the variable's place in bytes within the block of variables.

    Constraints:
    1. (`variable_c1`) the initial value is `#device.init`, or elements of the variable's type.
    2. (`variable_c2`) `offset` is a multiple of 64.

    Example:
    ```mlir
    device.variable @bias : tensor<10xf32> = dense<0.0> : tensor<10xf32> {trainable = true}
    device.variable @weight : tensor<10x84xf32> = #device.init<"normal", [0.01]> {offset = 64 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<Types_Tensor>:$type,
    AnyAttr:$initial_value,
    DefaultValuedAttr<BoolAttr, "false">:$trainable,
    OptionalAttr<I64Attr>:$offset
  );
  let assemblyFormat = "$sym_name `:` $type `=` $initial_value attr-dict";
  let hasVerifier = 1;
}

def Device_QueueOp : Device_Op<"queue", [HasParent<"ModuleOp">, Symbol]> {
  let summary = "Declares a bounded ring of batches that the host fills and a loop empties.";
  let description = [{
    A batch has one tensor per column. The ring holds `depth` batches in device memory; the producer writes a slot in
    place and `device.get_next` reads it in place. `pipeline` is the data pipeline as JSON when it is made of built-in
    operations, so that the runtime can fill the queue by itself. `lower` sets the columns' `offsets` within a slot, in
    bytes, and `slot_bytes`.

    Constraints:
    1. (`queue_c1`) there are as many column names as types, and as many offsets where offsets are set.
    2. (`queue_c2`) `depth` is between 1 and 65536.
    3. (`queue_c3`) columns are addressable tensors of booleans, integers of 8 to 64 bits, f16, bf16, f32 or f64.

    Example:
    ```mlir
    device.queue @train columns ["image", "label"] (tensor<32x1x32x32xf32>, tensor<32xi32>) depth(16)
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrArrayAttr:$columns,
    TypeArrayAttr:$types,
    I64Attr:$depth,
    OptionalAttr<StrAttr>:$pipeline,
    OptionalAttr<DenseI64ArrayAttr>:$offsets,
    OptionalAttr<I64Attr>:$slot_bytes
  );
  let assemblyFormat = "$sym_name `columns` $columns custom<ColumnTypes>($types) `depth` `(` custom<Depth>($depth) `)` attr-dict";
  let hasVerifier = 1;
}

def Device_ReportOp : Device_Op<"report", [HasParent<"ModuleOp">, Symbol]> {
  let summary = "Declares a value that a loop tells the host at every step.";
  let description = [{
    A loop publishes one record per step into a ring that the host drains without stopping the loop. The record holds the
    step's number, then the loop's reports. `lower` sets `offset`, the report's place in bytes within the record.
    A report with a `device.range` is no output: it holds the least or the greatest of some indices, and one outside the
    range is an error of the step.

    Constraints:
    1. (`report_c1`) `offset` is at least 8: the step's number comes first.
    2. (`report_c2`) where there is a `device.range`, the report is one signless integer, and the range has a `lowest` and a
       `highest`.

    Example:
    ```mlir
    device.report @loss : tensor<f32> {offset = 8 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<Types_Tensor>:$type,
    OptionalAttr<I64Attr>:$offset
  );
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
}

def Device_EntryOp : Device_Op<"entry", [HasParent<"ModuleOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Names the native function of a loop.";
  let description = [{
    What is left of a `device.loop` after `codegen`: the function `symbol` runs the loop by the rules of
    `runtime/abi/executable_abi.h`. The name is the loop's; it lies in a name space of its own, not in the module's symbol
    table, so that a loop and its queue may both be called `train`. `prints` are the loop's `device.print`s by their numbers in
    records of `print_bytes` bytes.

    Constraints:
    1. (`entry_c1`) `queue` and `reports` name declarations of the module.

    Example:
    ```mlir
    device.entry @train symbol("plumb_loop_train") {
      mode = "train", queue = @train, reports = [@loss], record_bytes = 16 : i64, sink_size = 1000 : i64, epochs = 10 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$loop_name,
    StrAttr:$symbol,
    StrAttr:$mode,
    OptionalAttr<FlatSymbolRefAttr>:$queue,
    FlatSymbolRefArrayAttr:$reports,
    DefaultValuedAttr<I64Attr, "8">:$record_bytes,
    OptionalAttr<TypedArrayAttrBase<Device_PrintAttr, "array of #device.print">>:$prints,
    OptionalAttr<I64Attr>:$print_bytes,
    DefaultValuedAttr<I64Attr, "-1">:$sink_size,
    DefaultValuedAttr<I64Attr, "1">:$epochs
  );
  let assemblyFormat = "$loop_name `symbol` `(` $symbol `)` attr-dict";
}

} // let opDocGroup

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICEDECLARATIONOPS_TD
