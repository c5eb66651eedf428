// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and scratch memory, above and below `lower`.

#ifndef PLUMB_DIALECTS_DEVICE_IR_DEVICEMEMORYOPS_TD
#define PLUMB_DIALECTS_DEVICE_IR_DEVICEMEMORYOPS_TD

include "dialects/device/ir/DeviceBase.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def OpGroupDeviceMemoryOps : OpDocGroup {
  let summary = "Memory";
  let description = "A step's ways to the variables and to the arena.";
}

let opDocGroup = OpGroupDeviceMemoryOps in {

def Device_ReadOp : Device_Op<"read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, MemoryEffects<[MemRead<Device_VariableResource>]>]> {
  let summary = "Yields a variable's value at this point of the step.";
  let description = [{
    The result is a value, not a reference: writes that follow do not change it.

    Constraints:
    1. (`read_c1`) the result has the variable's type.

    Example:
    ```mlir
    %weight = device.read @weight : tensor<10x84xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Types_Tensor:$value);
  let assemblyFormat = "$variable attr-dict `:` type($value)";
}

def Device_WriteOp : Device_Op<"write", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, MemoryEffects<[MemWrite<Device_VariableResource>]>]> {
  let summary = "Gives a variable a new value.";
  let description = [{
    Every read that follows in the step, and every later step, sees the new value.

    Constraints:
    1. (`write_c1`) the value has the variable's type.

    Example:
    ```mlir
    device.write @weight, %updated : tensor<10x84xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Types_Tensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Device_VariableViewOp : Device_Op<"variable.view", [DeclareOpInterfaceMethods<SymbolUserOpInterface>, Pure]> {
  let summary = "Yields a variable's memory.";
  let description = [{
    The buffer is the variable itself: what is stored there stays after the launch.

    Constraints:
    1. (`variable_view_c1`) the result is contiguous and has the variable's shape and element type.

    Example:
    ```mlir
    %weight = device.variable.view @weight : memref<10x84xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Types_Buffer:$buffer);
  let assemblyFormat = "$variable attr-dict `:` type($buffer)";
}

def Device_ArenaViewOp : Device_Op<"arena.view", [Pure]> {
  let summary = "Yields a buffer at a fixed place of the arena.";
  let description = [{
    The arena is scratch memory: undefined when a step begins. The planner keeps buffers that are alive together apart;
    two views may overlap otherwise, so this op tells nothing about aliasing by itself.

    Constraints:
    1. (`arena_view_c1`) `offset` is a multiple of 64.
    2. (`arena_view_c2`) the result is contiguous.
    3. (`arena_view_c3`) where the module's `arena_bytes` are known, the buffer lies within them.

    Example:
    ```mlir
    %a = device.arena.view offset 64 : memref<32x6x28x28xf32>
    ```
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs Types_Buffer:$buffer);
  let assemblyFormat = "`offset` custom<Offset>($offset) attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Device_HaloOp : Device_Op<"halo", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Views a buffer as if zeros lay around it.";
  let description = [{
    The result has the shape of the padded source: `low` elements before and `high` elements behind it along each axis.
    Elements inside are the source's; reading one outside yields zero, though no memory is there. Only contractions may
    read a halo, as their emitters leave out products with what lies outside; nothing may write to it.

    Constraints:
    1. (`halo_c1`) `low` and `high` have one number per axis, none of them negative.
    2. (`halo_c2`) the result has the padded shape, and the source's element type, strides and offset.

    Example:
    ```mlir
    %p = device.halo %x low [0, 1] high [0, 2] : memref<2x8xf32> to memref<2x11xf32, strided<[8, 1]>>
    ```
  }];
  let arguments = (ins Types_Buffer:$source, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let results = (outs Types_Buffer:$result);
  let assemblyFormat = "$source `low` $low `high` $high attr-dict `:` type($source) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::llvm::ArrayRef<int64_t>":$low,
                                 "::llvm::ArrayRef<int64_t>":$high)>];
  let extraClassDeclaration = [{
    /// The type of `source` within the pads.
    static ::mlir::MemRefType getPaddedType(::mlir::MemRefType source, ::llvm::ArrayRef<int64_t> low,
                                            ::llvm::ArrayRef<int64_t> high);
  }];
  let hasVerifier = 1;
}

} // let opDocGroup

#endif // PLUMB_DIALECTS_DEVICE_IR_DEVICEMEMORYOPS_TD
