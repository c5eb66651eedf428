// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the kernel dialect.

#ifndef PLUMB_DIALECTS_KERNEL_IR_KERNELATTRS_TD
#define PLUMB_DIALECTS_KERNEL_IR_KERNELATTRS_TD

include "dialects/kernel/ir/KernelDialect.td"

def Kernel_PlanAttr : Kernel_Attr<"Plan", "plan"> {
  let summary = "How one linalg operation becomes vector code.";
  let description = [{
    Loops are numbered as in the operation's nest, from the outside in: loops of one iteration are dropped and contiguous loops
    are fused (`LinearNest`). Operands are numbered as in the operation.

    | entry | meaning |
    |---|---|
    | `lanes = 16 x 3 along 1` | 16 lanes per vector and three vectors per register tile, along loop 1 |
    | `tiles = [0 : 8]` | further loops of the register tile, with their iterations |
    | `order = [1 : 48, 0 : 8]` | the loops around the register tile, from the outside in, with their steps |
    | `reductions = [2]` | the reduction loops inside it, from the outside in |
    | `unroll = [2 : 4]` | unroll factors of reductions, where not one |
    | `partials = 2` | sets of accumulators that iterations alternate between |
    | `panels = [1 : 0]` | operand 1 is copied into a dense panel before the loops from `order[0]` on |
    | `prefetch = [0]` | inputs that the innermost reduction prefetches |
    | `blocks = [1 : 0]` | operand 1: the block of the next iteration of `order[0]` is prefetched |
    | `writes = [1]` | outputs that are prefetched before they are written |
    | `transposed = [0]` | operands that are transposed in registers |
    | `interleaved` | pairs of result vectors are interleaved |
    | `skew = [0, 2, 1]` | loop skewing: parallel loop, reduction loop, ratio |
    | `epilogue = 1` | operations after this one that run on its accumulators |
    | `cycles = 5120` | estimated cycles |

    Example:
    ```mlir
    linalg.matmul {kernel.plan = #kernel.plan<lanes = 16 x 3 along 1, tiles = [0 : 8], order = [1 : 48, 0 : 8], reductions = [2]>} …
    ```
  }];
  let parameters = (ins
    "int64_t":$laneLoop, "int64_t":$lanes, "int64_t":$vectors,
    ArrayRefParameter<"int64_t", "loop, iterations">:$tiles,
    ArrayRefParameter<"int64_t", "loop, step">:$order,
    ArrayRefParameter<"int64_t">:$reductions,
    ArrayRefParameter<"int64_t", "loop, factor">:$unroll,
    "int64_t":$partials,
    ArrayRefParameter<"int64_t", "operand, depth">:$panels,
    ArrayRefParameter<"int64_t">:$prefetch,
    ArrayRefParameter<"int64_t", "operand, depth">:$blocks,
    ArrayRefParameter<"int64_t">:$writes,
    ArrayRefParameter<"int64_t">:$transposed,
    "bool":$interleaved,
    ArrayRefParameter<"int64_t", "parallel loop, reduction loop, ratio; or nothing">:$skew,
    "int64_t":$epilogue, "int64_t":$cycles
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Kernel_PartitionAttr : Kernel_Attr<"Partition", "partition"> {
  let summary = "The chunks of a kernel that several threads can run.";
  let description = [{
    Set on a declaration, which stands for all chunks of a kernel: `function` runs one of them. The address of argument i for
    chunk n is that of the declaration's argument plus n · `steps[i]` bytes.

    Example:
    ```mlir
    func.func private @product_in_chunks(memref<64x32xf32>, memref<32x16xf32>, memref<64x16xf32>)
        attributes {kernel.partition = #kernel.partition<@product, chunks = 8, steps = [1024, 0, 512]>}
    ```
  }];
  let parameters = (ins
    AttrParameter<"::mlir::FlatSymbolRefAttr", "the function of one chunk">:$function,
    "int64_t":$chunks,
    AttrParameter<"::mlir::DenseI64ArrayAttr", "bytes from one chunk's argument to the next one's">:$stepsAttr
  );
  let builders = [AttrBuilder<(ins "::mlir::FlatSymbolRefAttr":$function, "int64_t":$chunks,
                                   "::llvm::ArrayRef<int64_t>":$steps), [{
    return $_get($_ctxt, function, chunks, ::mlir::DenseI64ArrayAttr::get($_ctxt, steps));
  }]>];
  let extraClassDeclaration = "::llvm::ArrayRef<int64_t> getSteps() const { return getStepsAttr().asArrayRef(); }";
  let assemblyFormat = "`<` $function `,` `chunks` `=` $chunks `,` `steps` `=` $stepsAttr `>`";
  let genVerifyDecl = 1;
}

def Kernel_InfoAttr : Kernel_Attr<"Info", "info"> {
  let summary = "What a call of a kernel computes and moves, for profiles.";
  let description = [{
    `calls` holds the number of calls in a step of each loop, `flops` counts two per multiply-add of contractions, `read` and
    `written` are the bytes of each operand once, and `source` is where the kernel comes from.

    Example: `#kernel.info<calls = {train = 1 : i64}, flops = 8192, read = 3072, written = 512, source = "net.py:7">`
  }];
  let parameters = (ins
    AttrParameter<"::mlir::DictionaryAttr", "calls in a step, by loop">:$calls,
    "int64_t":$flops, "int64_t":$read, "int64_t":$written,
    AttrParameter<"::mlir::StringAttr", "the program's line">:$source
  );
  let assemblyFormat = [{
    `<` `calls` `=` $calls `,` `flops` `=` $flops `,` `read` `=` $read `,` `written` `=` $written `,` `source` `=` $source `>`
  }];
}

#endif // PLUMB_DIALECTS_KERNEL_IR_KERNELATTRS_TD
