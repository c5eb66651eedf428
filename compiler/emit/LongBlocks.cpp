// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a deep network is one block of thousands of calls of kernels. LLVM's
// instruction selection and register allocation take time that grows with the
// square of a block's calls: the address of each buffer is one value that lives
// from its first call to its last. So such a block is cut:
//
//   call @a(base + 64)                 call @step.calls(base)
//   …                              ►   call @step.calls.1(base)
//   call @z(base + 9728)
//
// and each part computes the addresses that it needs. A call more for a hundred
// kernels costs nothing. Test: test/compiler/emit/long_blocks.mlir

#include "compiler/emit/LongBlocks.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

/// Blocks with fewer calls stay as they are.
static constexpr unsigned kLongBlock = 512;
/// Calls in a part.
static constexpr unsigned kPartCalls = 128;

static bool isKernelCall(const Instruction &instruction) {
  return isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
}

static unsigned countCalls(const BasicBlock &block) { return count_if(block, isKernelCall); }

/// Gives each call an address of its own where that is a base and a constant.
static void sinkAddresses(BasicBlock &block) {
  for (Instruction &call : make_early_inc_range(block)) {
    if (!isKernelCall(call))
      continue;
    for (Use &use : call.operands()) {
      auto *address = dyn_cast<GetElementPtrInst>(use.get());
      if (!address || !address->hasAllConstantIndices())
        continue;
      Instruction *own = address->clone();
      own->insertBefore(call.getIterator());
      use.set(own);
      if (address->use_empty())
        address->eraseFromParent();
    }
  }
}

/// Cuts the block behind every `kPartCalls` calls; returns the parts. What comes
/// before the first call and after the last one stays outside: the loop's own
/// counters.
static SmallVector<BasicBlock *> cut(BasicBlock *block) {
  SmallVector<Instruction *> starts;
  Instruction *last = nullptr;
  unsigned calls = 0;
  for (Instruction &instruction : *block) {
    if (!isKernelCall(instruction))
      continue;
    if (calls++ % kPartCalls == 0)
      starts.push_back(&instruction);
    last = &instruction;
  }
  SmallVector<BasicBlock *> parts;
  for (Instruction *start : starts)
    parts.push_back(SplitBlock(start->getParent(), start));
  SplitBlock(parts.back(), last->getNextNode());
  return parts;
}

static void splitLongBlock(BasicBlock *block) {
  sinkAddresses(*block);
  for (BasicBlock *part : cut(block)) {
    CodeExtractor extractor(part, /*DT=*/nullptr, /*AggregateArgs=*/false,
                            /*BFI=*/nullptr, /*BPI=*/nullptr, /*AC=*/nullptr,
                            /*AllowVarArgs=*/false, /*AllowAlloca=*/false,
                            /*AllocationBlock=*/nullptr, /*Suffix=*/"calls");
    CodeExtractorAnalysisCache cache(*part->getParent());
    if (Function *made = extractor.extractCodeRegion(cache))
      made->addFnAttr(Attribute::NoInline);
  }
}

void plumb::splitLongBlocks(Module &module) {
  SmallVector<BasicBlock *> blocks;
  for (Function &function : module)
    for (BasicBlock &block : function)
      if (countCalls(block) >= kLongBlock)
        blocks.push_back(&block);
  for (BasicBlock *block : blocks)
    splitLongBlock(block);
}
