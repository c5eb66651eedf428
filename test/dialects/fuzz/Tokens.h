// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of IR's text word by word. Words that were seen in any text come back in others.

#ifndef PLUMB_TEST_DIALECTS_FUZZ_TOKENS_H
#define PLUMB_TEST_DIALECTS_FUZZ_TOKENS_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace plumb {
namespace fuzz {

/// The words of a text: names with dots and signs in front, numbers, strings, single characters, and the space between
/// them.
std::vector<llvm::StringRef> splitWords(llvm::StringRef text);

/// The text with one to four words, or rows of them, deleted, doubled, swapped or replaced. The same seed and the same
/// texts before give the same one.
std::string changeWords(llvm::StringRef text, unsigned seed);

} // namespace fuzz
} // namespace plumb

#endif // PLUMB_TEST_DIALECTS_FUZZ_TOKENS_H
