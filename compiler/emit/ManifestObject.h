// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest as a relocatable object.

#ifndef PLUMB_COMPILER_EMIT_MANIFESTOBJECT_H
#define PLUMB_COMPILER_EMIT_MANIFESTOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace plumb {

/// Writes an ELF object that holds nothing but the manifest's section, from
/// `plumb_manifest_start` to `plumb_manifest_end`, for the machine that `like`,
/// another object, is for.
void writeManifestObject(llvm::ArrayRef<uint8_t> manifest, llvm::ArrayRef<char> like, llvm::raw_ostream &os);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_MANIFESTOBJECT_H
