// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage emit: from LLVM's dialect to bytes on a stream. See README.md.

#ifndef PLUMB_COMPILER_EMIT_EMIT_H
#define PLUMB_COMPILER_EMIT_EMIT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace plumb {

/// What to emit.
enum class EmitKind {
  /// The executable that the runtime loads: an ELF shared object.
  Plumb,
  /// A program of its own: the executable with the runtime linked in.
  Exe,
  /// The relocatable object inside both.
  Obj,
  /// Its assembly.
  Asm,
  /// LLVM's IR, optimized.
  LLVM,
};

/// What the stage must know beside the module.
struct EmitOptions {
  EmitKind kind = EmitKind::Plumb;
  /// As CodegenOptions::targetCpu; must be what codegen was told.
  std::string targetCpu;
  /// The program's name and text, for the manifest.
  std::string sourceName;
  std::string sourceText;
  /// Whether the data sets keep their prepared rows in memory.
  bool cacheData = false;
  /// The compiler's release; empty: this one.
  std::string compilerVersion;
  /// The archive that `EmitKind::Exe` links in; empty: found beside the
  /// compiler, or named by the environment's PLUMB_EXE_ARCHIVE.
  std::string exeArchive;
  /// Whether the executable keeps its symbols and the table of kernels, which
  /// profilers read.
  bool symbols = false;
};

/// Emits the device module of `module`, which is what `codegen` left, to `os`.
/// On failure an error has been reported and nothing written.
mlir::LogicalResult emitExecutable(mlir::ModuleOp module, const EmitOptions &options, llvm::raw_pwrite_stream &os);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_EMIT_H
