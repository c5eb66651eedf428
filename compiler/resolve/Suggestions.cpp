// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/resolve/Suggestions.h"

#include <algorithm>

namespace plumb {

llvm::StringRef findSimilar(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  // One slip in a short name, up to a third of the letters in a long one.
  unsigned limit = std::max<size_t>(1, name.size() / 3);
  llvm::StringRef best;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, /*MaxEditDistance=*/limit);
    if (distance > limit || candidate.starts_with("$"))
      continue;
    limit = distance == 0 ? 0 : distance - 1;
    best = candidate;
    if (limit == 0 && distance == 0)
      break;
  }
  return best;
}

} // namespace plumb
