// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C and C++ sources that a program brings along, as objects.

#ifndef PLUMB_COMPILER_EMIT_NATIVESOURCES_H
#define PLUMB_COMPILER_EMIT_NATIVESOURCES_H

#include "compiler/emit/Link.h"

#include "dialects/device/ir/Device.h"

#include <vector>

namespace plumb {

/// Whether `module` calls a function of such a source.
bool hasNativeSources(device::ModuleOp module);

/// Compiles the sources whose functions `module` declares and appends their
/// objects, in which those functions have the names of their declarations, hidden,
/// and everything else is local. An object that the loader would refuse, or that
/// keeps state, is refused here, at the line that calls it.
mlir::LogicalResult compileNativeSources(device::ModuleOp module, const TargetFacts &target,
                                         std::vector<ObjectFile> &objects);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_NATIVESOURCES_H
