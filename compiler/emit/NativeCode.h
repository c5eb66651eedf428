// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM's dialect to machine code, in process.

#ifndef PLUMB_COMPILER_EMIT_NATIVECODE_H
#define PLUMB_COMPILER_EMIT_NATIVECODE_H

#include "compiler/emit/Manifest.h"
#include "compiler/target/CpuTarget.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace plumb {

/// Translates functions of one device module and generates their code. Each
/// object has an LLVM context of its own, so two may work at the same time once
/// they are translated.
class NativeCode {
public:
  /// Finds the processor `targetCpu`; reports at `module` when it is unknown.
  static mlir::FailureOr<NativeCode> create(device::ModuleOp module, llvm::StringRef targetCpu);

  /// What the manifest says of the target.
  TargetFacts getFacts() const;

  /// Translates the module's functions to LLVM IR; those of `elsewhere` are
  /// another object's, and only declared.
  mlir::LogicalResult translate(device::ModuleOp module, const llvm::DenseSet<mlir::Operation *> &elsewhere);

  /// Adds the manifest's section and the query function.
  void addManifest(llvm::ArrayRef<uint8_t> manifest);
  void addQuery(device::ModuleOp module);
  /// Adds the section that says what each kernel does and costs.
  void addKernelTable(device::ModuleOp module);

  /// Runs LLVM's optimizations.
  void optimize();

  /// Prints the IR.
  void printIR(llvm::raw_ostream &os) const;
  /// Writes an object or assembly; fails without a message when the target has
  /// no such output.
  mlir::LogicalResult generate(llvm::CodeGenFileType type, llvm::SmallVectorImpl<char> &output);

private:
  NativeCode() = default;
  void setLinkage();
  void setAttributes();

  CpuTarget target;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_NATIVECODE_H
