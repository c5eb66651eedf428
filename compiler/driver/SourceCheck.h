// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What text of IR must not hold, since MLIR's parser does not survive it.

#ifndef PLUMB_COMPILER_DRIVER_SOURCECHECK_H
#define PLUMB_COMPILER_DRIVER_SOURCECHECK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <optional>

namespace plumb {

/// Where a text is wrong, and why.
struct SourceFault {
  llvm::SMLoc place;
  llvm::StringRef message;
};

/// Finds a result number in `text` that no operation has, or a label that two blocks of a region have.
std::optional<SourceFault> findSourceFault(llvm::StringRef text);

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_SOURCECHECK_H
