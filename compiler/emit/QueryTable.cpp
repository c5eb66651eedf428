// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an executable shows to the outside: the manifest in a section of its
// own, and one function that returns the table of loops.

#include "compiler/emit/NativeCode.h"

#include "runtime/abi/executable_abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace plumb;

/// A private constant.
static llvm::GlobalVariable *addConstant(llvm::Module &module, llvm::Constant *value, llvm::StringRef name) {
  return new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                  value, name);
}

void NativeCode::addManifest(llvm::ArrayRef<uint8_t> manifest) {
  llvm::Constant *bytes = llvm::ConstantDataArray::get(*context, manifest);
  auto *section = new llvm::GlobalVariable(*module, bytes->getType(), /*isConstant=*/true,
                                           llvm::GlobalValue::ExternalLinkage, bytes, "plumb_manifest_start");
  section->setSection(PLUMB_MANIFEST_SECTION);
  section->setAlignment(llvm::Align(PLUMB_BUFFER_ALIGNMENT));
  section->setVisibility(llvm::GlobalValue::HiddenVisibility);
  // The end as a symbol: a program that holds its own manifest reads it so.
  llvm::Type *byte = llvm::Type::getInt8Ty(*context);
  llvm::Constant *end = llvm::ConstantExpr::getInBoundsGetElementPtr(
      byte, section, llvm::ConstantInt::get(llvm::Type::getInt64Ty(*context), manifest.size()));
  auto *alias =
      llvm::GlobalAlias::create(byte, 0, llvm::GlobalValue::ExternalLinkage, "plumb_manifest_end", end, module.get());
  alias->setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::appendToUsed(*module, {section});
}

void NativeCode::addQuery(device::ModuleOp device) {
  llvm::IRBuilder<> builder(*context);
  llvm::Type *pointer = builder.getPtrTy();
  auto *entryType = llvm::StructType::get(*context, {pointer, pointer});
  llvm::SmallVector<llvm::Constant *> entries;
  for (auto entry : device.getBody().getOps<device::EntryOp>()) {
    llvm::Function *run = module->getFunction(entry.getSymbol());
    run->setVisibility(llvm::GlobalValue::HiddenVisibility);
    llvm::Constant *name = llvm::ConstantDataArray::getString(*context, entry.getLoopName());
    entries.push_back(llvm::ConstantStruct::get(entryType, {addConstant(*module, name, "loop_name"), run}));
  }
  auto *arrayType = llvm::ArrayType::get(entryType, entries.size());
  auto *loops = addConstant(*module, llvm::ConstantArray::get(arrayType, entries), "loops");
  // plumb_executable_table_t
  llvm::Constant *table =
      llvm::ConstantStruct::getAnon({builder.getInt32(PLUMB_ABI_VERSION), builder.getInt32(entries.size()), loops});
  auto *query = llvm::Function::Create(llvm::FunctionType::get(pointer, {builder.getInt32Ty()}, false),
                                       llvm::GlobalValue::ExternalLinkage, PLUMB_EXECUTABLE_QUERY_SYMBOL, *module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(*context, "", query));
  llvm::Value *isServed = builder.CreateICmpEQ(query->getArg(0), builder.getInt32(PLUMB_ABI_VERSION));
  builder.CreateRet(builder.CreateSelect(isServed, addConstant(*module, table, "table"),
                                         llvm::ConstantPointerNull::get(llvm::PointerType::get(*context, 0))));
  setAttributes();
}
