// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From objects and a manifest to an ELF shared object or a program.

#ifndef PLUMB_COMPILER_EMIT_LINK_H
#define PLUMB_COMPILER_EMIT_LINK_H

#include "compiler/emit/Emit.h"
#include "compiler/emit/Manifest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/TargetParser/Triple.h"

#include <vector>

namespace plumb {

/// The bytes of one relocatable object.
using ObjectFile = llvm::SmallVector<char>;

/// What is linked.
struct LinkInputs {
  std::vector<ObjectFile> objects;
  /// The manifest, which becomes an object of its own and is gone then.
  ManifestBytes manifest;
  /// What the objects are for.
  llvm::Triple triple;
};

/// Links `inputs` into a shared object that exports the query function alone,
/// seals its manifest and writes it to `os`. The table of local symbols stays on
/// demand. Reports at `location`.
mlir::LogicalResult linkShared(mlir::Location location, LinkInputs inputs, const EmitOptions &options,
                               llvm::raw_ostream &os);

/// Links `inputs` and the runtime's archive into a program. An archive that
/// `options` do not name is looked for beside the compiler.
mlir::LogicalResult linkProgram(mlir::Location location, LinkInputs inputs, const EmitOptions &options,
                                llvm::raw_ostream &os);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_LINK_H
