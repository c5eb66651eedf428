// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line of text per loop and kernel, columns split by tabs: the loop, the
// kernel's symbol, its calls in a step, and of one call the FLOPs, bytes read,
// bytes written and the place in the source.

#include "compiler/emit/NativeCode.h"

#include "runtime/abi/executable_abi.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace mlir;
using namespace plumb;

/// The lines of one kernel, a line for each loop that calls it.
static void describeKernel(LLVM::LLVMFuncOp kernel, DictionaryAttr note,
                           llvm::raw_ostream &os) {
  auto number = [&](StringRef name) {
    return note.getAs<IntegerAttr>(name).getInt();
  };
  for (NamedAttribute calls : note.getAs<DictionaryAttr>("calls"))
    os << calls.getName().getValue() << '\t' << kernel.getName() << '\t'
       << cast<IntegerAttr>(calls.getValue()).getInt() << '\t'
       << number("flops") << '\t' << number("read") << '\t'
       << number("written") << '\t'
       << note.getAs<StringAttr>("source").getValue() << '\n';
}

void NativeCode::addKernelTable(device::ModuleOp device) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto function : device.getBody().getOps<LLVM::LLVMFuncOp>())
    if (auto note = function->getAttrOfType<DictionaryAttr>("device.kernel"))
      describeKernel(function, note, os);
  auto *bytes = llvm::ConstantDataArray::getString(*context, text,
                                                   /*AddNull=*/false);
  auto *section = new llvm::GlobalVariable(
      *module, bytes->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, bytes, "plumb_kernels");
  section->setSection(PLUMB_KERNELS_SECTION);
  llvm::appendToUsed(*module, {section});
}
