// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one object to an ELF shared object or a program.

#ifndef PLUMB_COMPILER_EMIT_LINK_H
#define PLUMB_COMPILER_EMIT_LINK_H

#include "compiler/emit/Emit.h"

#include "llvm/ADT/SmallVector.h"

namespace plumb {

/// The bytes of one relocatable object.
using ObjectFile = llvm::SmallVector<char>;

/// Links `objects` into a shared object that exports the query function alone,
/// and seals its manifest. The table of local symbols stays on demand. Reports
/// at `location`.
mlir::LogicalResult linkShared(mlir::Location location,
                               llvm::ArrayRef<ObjectFile> objects,
                               bool keepsSymbols,
                               llvm::SmallVectorImpl<char> &output);

/// Links `objects` and the runtime's archive into a program. An archive that
/// `options` do not name is looked for beside the compiler.
mlir::LogicalResult linkProgram(mlir::Location location,
                                llvm::ArrayRef<ObjectFile> objects,
                                const EmitOptions &options,
                                llvm::SmallVectorImpl<char> &output);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_LINK_H
