// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device dialect itself and what its records share.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICEBASE_TD
#define PLUMB_DIALECTS_DEVICE_IR_DEVICEBASE_TD

include "dialects/types/ir/Types.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Device_Dialect : Dialect {
  let name = "device";
  let cppNamespace = "::plumb::device";
  let summary = "What a device holds and runs: variables, queues, reports and the sunk loop.";
  let description = [{
    The `net` dialect says what one step computes; this dialect says what stands around it on a device, so that the host
    starts a loop once and only listens afterwards.

    ```
      host                         device.module
      ────                         ─────────────────────────────────────────────
      data pipeline ──► device.queue ──► device.get_next ─┐
                                                          ▼
      checkpoint ◄──► device.variable ──► device.read ─► step ─► device.write ──► device.variable
                                                          │
      callbacks  ◄── device.report ◄───── device.emit ◄───┤      device.continue_if: stop rules are data
      terminal   ◄────────────────────── device.print ◄───┘
                                          └────────── device.loop, sink_size times ──────────┘
    ```

    The dialect lives at two heights. Above `lower`, values are tensors and variables are read and written as wholes
    (`device.read`, `device.write`). Below it, values are memrefs: a variable is `device.variable.view`, scratch memory is
    `device.arena.view`, a batch lies in the queue's slot. The declarations stay the same and gain their places (offsets)
    on the way. After `codegen` only declarations and `device.entry` are left, beside the native code.

    Neighbours: `net` above, `linalg`, `scf` and `memref` beside, `llvm` below.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [];
}

class Device_Op<string mnemonic, list<Trait> traits = []> : Op<Device_Dialect, mnemonic, traits>;

class Device_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Device_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// The memory behind all variables, and the two ends of the interface to the host; prints are reports.
def Device_VariableResource : Resource<"::plumb::device::VariableResource">;
def Device_QueueResource : Resource<"::plumb::device::QueueResource">;
def Device_ReportResource : Resource<"::plumb::device::ReportResource">;

/// A value of the step: a tensor above `lower`, a buffer below it.
def Device_Value : AnyTypeOf<[Types_Tensor, Types_Buffer], "addressable, statically shaped tensor or memref">;

/// A boolean of the step.
def Device_Condition
    : AnyTypeOf<[I1, 0DTensorOf<[I1]>, MemRefRankOf<[I1], [0]>], "i1, or tensor or memref of one i1">;

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICEBASE_TD
