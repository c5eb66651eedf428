// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser makes room for all results up to the number that a use names before it knows the operation:
// `%0#2147483647` takes it all memory there is. Test: test/compiler/driver/result_numbers_invalid.mlir.

#include "compiler/driver/SourceCheck.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

/// As many as net.split may have, and more than any program's operation.
static constexpr uint64_t kMaxResultNumber = 1 << 20;

/// `text` behind the string or comment that it starts with, or behind its first character.
static StringRef skip(StringRef text) {
  if (text.starts_with("//"))
    return text.drop_until([](char c) { return c == '\n'; });
  if (!text.starts_with("\""))
    return text.drop_front();
  size_t end = 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return text.drop_front(std::min(end + 1, text.size()));
}

/// Where `text` has a number behind `#` that is too large: names of attributes do not start with a digit.
static const char *findResultNumber(StringRef text) {
  for (; !text.empty(); text = skip(text)) {
    if (text.front() != '#')
      continue;
    StringRef digits = text.drop_front().take_while(isDigit);
    uint64_t number = 0;
    if (!digits.empty() && (digits.getAsInteger(10, number) || number > kMaxResultNumber))
      return text.data();
  }
  return nullptr;
}

std::optional<plumb::SourceFault> plumb::findSourceFault(StringRef text) {
  bool isBytecode = text.starts_with("ML\xefR");
  const char *place = isBytecode ? nullptr : findResultNumber(text);
  if (!place)
    return std::nullopt;
  return SourceFault{SMLoc::getFromPointer(place), "no operation has a result of this number"};
}
