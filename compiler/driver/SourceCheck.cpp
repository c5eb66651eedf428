// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser makes room for all results up to the number that a use names before it knows the operation:
// `%0#2147483647` takes it all memory there is. Test: test/compiler/driver/result_numbers_invalid.mlir.
//
// Where it gives up on a region with two blocks of one label, it frees values that uses in other regions were bound to,
// and later writes to those. Test: test/compiler/driver/block_labels_invalid.mlir.

#include "compiler/driver/SourceCheck.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

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

/// Whether a block is defined by the label that `text` starts with, not branched to: behind it and its arguments, if
/// any, there is a colon.
static bool isDefinition(StringRef text) {
  unsigned depth = 0;
  for (; !text.empty(); text = skip(text)) {
    depth += text.front() == '(';
    depth -= text.front() == ')' && depth > 0;
    if (depth == 0 && text.front() != ')' && !isSpace(text.front()))
      return text.front() == ':';
  }
  return false;
}

/// Where `text` defines a block whose label another one of the region has.
static const char *findRepeatedLabel(StringRef text) {
  SmallVector<StringSet<>> regions(1);
  for (; !text.empty(); text = skip(text)) {
    if (text.front() == '{')
      regions.emplace_back();
    else if (text.front() == '}' && regions.size() > 1)
      regions.pop_back();
    if (text.front() != '^')
      continue;
    StringRef label = text.drop_front().take_while([](char c) { return isAlnum(c) || StringRef("_$.-").contains(c); });
    if (isDefinition(text.drop_front(1 + label.size())) && !regions.back().insert(label).second)
      return text.data();
  }
  return nullptr;
}

std::optional<plumb::SourceFault> plumb::findSourceFault(StringRef text) {
  if (text.starts_with("ML\xefR")) // bytecode
    return std::nullopt;
  if (const char *place = findResultNumber(text))
    return SourceFault{SMLoc::getFromPointer(place), "no operation has a result of this number"};
  if (const char *place = findRepeatedLabel(text))
    return SourceFault{SMLoc::getFromPointer(place), "another block of this region has the same label"};
  return std::nullopt;
}
