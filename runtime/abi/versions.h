// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions that the compiler writes into a manifest and the loader compares: of the manifest's schema and of this
// release of Plumb. The version of the code's interface is PLUMB_ABI_VERSION in executable_abi.h.
#ifndef PLUMB_RUNTIME_ABI_VERSIONS_H_
#define PLUMB_RUNTIME_ABI_VERSIONS_H_

#include <cstdint>

#include "runtime/abi/executable_abi.h"

namespace plumb {
namespace abi {

// Manifest.schema_version: raised with every change of manifest.fbs or pipeline.fbs, not with new names, which no
// manifest holds. Tables only grow at their end, so that all manifests since the oldest version can be read.
constexpr uint32_t kManifestSchemaVersion = 8;
constexpr uint32_t kOldestManifestSchemaVersion = 1;

// The release, as every tool's --version prints it.
constexpr char kPlumbVersion[] = "0.1.0";

}  // namespace abi
}  // namespace plumb

#endif  // PLUMB_RUNTIME_ABI_VERSIONS_H_
