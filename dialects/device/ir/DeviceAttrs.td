// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the device dialect.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICEATTRS_TD
#define PLUMB_DIALECTS_DEVICE_IR_DEVICEATTRS_TD

include "dialects/device/ir/DeviceBase.td"

def Device_InitAttr : Device_Attr<"Init", "init"> {
  let summary = "A variable's initial value, by rule.";
  let description = [{
    The runtime fills the variable by this rule when a session starts, so that an executable need not carry the values.
    `kind` is one of `zero`, `one`, `constant`, `normal`, `truncated_normal`, `uniform`, `xavier_uniform`, `he_uniform`,
    …; `parameters` are the rule's numbers (a spread, a value). Random rules draw from the counter-based stream `stream`
    of the session's seed: equal seeds give equal values.

    Example:
    ```mlir
    device.variable @weight : tensor<10x84xf32> = #device.init<"truncated_normal", [2.000000e-02], stream = 3>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"the rule">:$kind,
    AttrParameter<"::mlir::ArrayAttr", "the rule's numbers, f64 each">:$parameters,
    DefaultValuedParameter<"int64_t", "0", "serial number of the random stream">:$stream
  );
  let assemblyFormat = "`<` $kind `,` $parameters (`,` `stream` `=` $stream^)? `>`";
  let genVerifyDecl = 1;
}

def Device_BufferAttr : Device_Attr<"Buffer", "buffer"> {
  let summary = "One buffer of the arena: its place and its life.";
  let description = [{
    The buffer lies at `offset` within the arena and takes `bytes`. It is alive from operation number `first` to number
    `last` of the step, counted in program order. Buffers whose lives overlap never share bytes.

    Example: `#device.buffer<"conv1", offset = 64, bytes = 602112, first = 4, last = 19>`
  }];
  let parameters = (ins
    StringRefParameter<"what the buffer holds, for people">:$name,
    "int64_t":$offset, "int64_t":$bytes, "int64_t":$first, "int64_t":$last
  );
  let assemblyFormat = [{
    `<` $name `,` `offset` `=` $offset `,` `bytes` `=` $bytes `,` `first` `=` $first `,` `last` `=` $last `>`
  }];
}

def Device_PrintAttr : Device_Attr<"Print", "print"> {
  let summary = "What one print of a loop shows, and where a record of it holds the values.";
  let description = [{
    What is left of a `device.print` after `codegen`: its texts, and of the values between them the types and the offsets in a
    record.

    Example: `#device.print<["x ", "\0A"], types = [tensor<4xf32>], offsets = [16]>`
  }];
  let parameters = (ins
    AttrParameter<"::mlir::ArrayAttr", "one string more than values">:$texts,
    AttrParameter<"::mlir::ArrayAttr", "the values' types">:$types,
    AttrParameter<"::mlir::DenseI64ArrayAttr", "bytes from the start of a record">:$offsets
  );
  let assemblyFormat = "`<` $texts `,` `types` `=` $types `,` `offsets` `=` $offsets `>`";
  let genVerifyDecl = 1;
}

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICEATTRS_TD
