// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel dialect itself.

#ifndef PLUMB_DIALECTS_KERNEL_IR_KERNELDIALECT_TD
#define PLUMB_DIALECTS_KERNEL_IR_KERNELDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::plumb::kernel";
  let summary = "Decisions of code generation as attributes, and the addresses that kernels take.";
  let description = [{
    One pass of `codegen` decides, later passes read: each decision is an attribute that is verified and printed, and that a test
    can set by hand.

    | attribute | on | set by | says |
    |---|---|---|---|
    | `kernel.epilogue` | `linalg` operation | `FuseEpilogues` | the operation may run on the registers of the one before it |
    | `kernel.transient` | `linalg` operation | `FuseEpilogues` | only the epilogue reads the result |
    | `kernel.plan` | `linalg` operation | `SelectPlans` | `#kernel.plan`: how the operation becomes vector code |
    | `kernel.info` | function | `AnnotateKernels` | `#kernel.info`: what a call computes, for profiles |
    | `kernel.partition` | declaration | `PartitionKernels` | `#kernel.partition`: the chunks that the function stands for |
    | `kernel.fused` | call | `FuseTasks` | the call belongs to the task of the call before it |
    | `kernel.chunks` | `device.entry` | `ConvertDeviceToLLVM` | the chunks of each partitioned kernel, in the order of the step |

    A kernel is a `linalg` operation, or a function of a few of them. The one operation, `kernel.rebase`, is on the caller's side:
    `OutlineKernels` passes addresses of views, not buffers and offsets, so that kernels that differ in offsets only are one.

    ```mlir
    linalg.matmul {kernel.transient} ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class Kernel_Attr<string name, string attrMnemonic> : AttrDef<Kernel_Dialect, name> {
  let mnemonic = attrMnemonic;
}

#endif // PLUMB_DIALECTS_KERNEL_IR_KERNELDIALECT_TD
