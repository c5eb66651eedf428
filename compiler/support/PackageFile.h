// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files are the Python package's own.

#ifndef PLUMB_COMPILER_SUPPORT_PACKAGEFILE_H
#define PLUMB_COMPILER_SUPPORT_PACKAGEFILE_H

#include "llvm/ADT/StringRef.h"

namespace plumb {

/// Where the package's folder begins in the name of a file in it, at a slash; npos for other files. A folder of the
/// user's that has the package's name is none; where there is no such folder on this machine, its name decides.
size_t findPackage(llvm::StringRef file);

/// Whether a file stands in the Python package, of which the user sees no line that could be changed.
inline bool isPackageFile(llvm::StringRef file) { return findPackage(file) != llvm::StringRef::npos; }

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_PACKAGEFILE_H
