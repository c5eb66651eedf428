// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Did you mean": the known name that is nearest to a misspelt one.

#ifndef PLUMB_COMPILER_RESOLVE_SUGGESTIONS_H
#define PLUMB_COMPILER_RESOLVE_SUGGESTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace plumb {

/// The candidate that differs least from `name`, or empty if none is near
/// enough to be a likely slip of the hand.
llvm::StringRef findSimilar(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace plumb

#endif // PLUMB_COMPILER_RESOLVE_SUGGESTIONS_H
