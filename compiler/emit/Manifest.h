// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest: what an executable says about itself, as FlatBuffers
// (runtime/abi/manifest.fbs), from the declarations of the device module.

#ifndef PLUMB_COMPILER_EMIT_MANIFEST_H
#define PLUMB_COMPILER_EMIT_MANIFEST_H

#include "compiler/emit/Emit.h"

#include "dialects/device/ir/Device.h"

#include "flatbuffers/flatbuffers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

/// What the manifest says of the machine.
struct TargetFacts {
  std::string triple;
  std::string cpu;
  /// Instruction set features that the code may use.
  std::vector<std::string> features;
};

/// A serialized manifest.
using ManifestBytes = flatbuffers::DetachedBuffer;

/// Serializes the manifest of `module`. The two checksums are placeholders.
mlir::LogicalResult buildManifest(device::ModuleOp module, const EmitOptions &options, const TargetFacts &target,
                                  ManifestBytes &bytes);

/// Sets the checksums of a linked executable: `file` is the whole file, and
/// `manifest` and `text` are its sections.
void sealManifest(llvm::MutableArrayRef<char> file, llvm::MutableArrayRef<char> manifest, llvm::ArrayRef<char> text);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_MANIFEST_H
