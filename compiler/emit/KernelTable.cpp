// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of text per loop and kernel, columns split by tabs: the loop, the
// kernel's symbol, its calls in a step, and of one call the FLOPs, bytes read,
// bytes written and the place in the source.

#include "compiler/emit/NativeCode.h"

#include "dialects/kernel/ir/Kernel.h"
#include "runtime/abi/executable_abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace mlir;
using namespace plumb;

/// The lines of one kernel, a line for each loop that calls it.
static void describeKernel(LLVM::LLVMFuncOp function, kernel::InfoAttr info, llvm::raw_ostream &os) {
  for (NamedAttribute calls : info.getCalls())
    os << calls.getName().getValue() << '\t' << function.getName() << '\t'
       << cast<IntegerAttr>(calls.getValue()).getInt() << '\t' << info.getFlops() << '\t' << info.getRead() << '\t'
       << info.getWritten() << '\t' << info.getSource().getValue() << '\n';
}

void NativeCode::addKernelTable(device::ModuleOp device) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto function : device.getBody().getOps<LLVM::LLVMFuncOp>())
    if (auto info = function->getAttrOfType<kernel::InfoAttr>(kernel::kInfoName))
      describeKernel(function, info, os);
  auto *bytes = llvm::ConstantDataArray::getString(*context, text,
                                                   /*AddNull=*/false);
  auto *section = new llvm::GlobalVariable(*module, bytes->getType(), /*isConstant=*/true,
                                           llvm::GlobalValue::PrivateLinkage, bytes, "plumb_kernels");
  section->setSection(PLUMB_KERNELS_SECTION);
  llvm::appendToUsed(*module, {section});
}
