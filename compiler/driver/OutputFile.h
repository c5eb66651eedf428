// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a result so that either all of it stands at its path or nothing changed.

#ifndef PLUMB_COMPILER_DRIVER_OUTPUTFILE_H
#define PLUMB_COMPILER_DRIVER_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace plumb {

/// Writes `data` to `path` through a temporary file in the same folder and a rename; `-` is standard output.
/// Errors name the path and the system's reason.
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef data, bool executable);

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_OUTPUTFILE_H
