// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the kernel dialect.

#ifndef PLUMB_DIALECTS_KERNEL_IR_KERNELOPS_TD
#define PLUMB_DIALECTS_KERNEL_IR_KERNELOPS_TD

include "dialects/kernel/ir/KernelAttrs.td"
include "dialects/types/ir/Types.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []> : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_RebaseOp : Kernel_Op<"rebase", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Moves a view's offset from its type to its address.";
  let description = [{
    The result is the same elements in the same memory, and its address is that of the first element: the source's address
    plus the source's offset. So views that differ in their offsets only have results of one type, and the kernels that they
    are passed to can be one function.

    Like any view, the result is aligned as its elements are, not as buffers of the arena and variables are. It aliases its
    source: both have one root.

    Constraints:
    1. (`rebase_c1`) the strides and the offset of the source are static.
    2. (`rebase_c2`) the result has the source's shape, element type and strides and no offset; its type has no layout where
       the elements are contiguous.

    Example:
    ```mlir
    %r = kernel.rebase %v : memref<8x16xf32, strided<[1024, 1], offset: 32>> to memref<8x16xf32, strided<[1024, 1]>>
    ```
  }];
  let arguments = (ins Types_Buffer:$source);
  let results = (outs Types_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$source)>];
  let extraClassDeclaration = [{
    /// `source` without its offset; null where its strides or its offset are dynamic.
    static ::mlir::MemRefType getRebasedType(::mlir::MemRefType source);

    /// The elements between the addresses of source and result.
    int64_t getDistance();
  }];
  let hasVerifier = 1;
}

#endif // PLUMB_DIALECTS_KERNEL_IR_KERNELOPS_TD
