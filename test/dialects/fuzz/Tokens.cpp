// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/dialects/fuzz/Tokens.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <random>

using namespace llvm;

namespace {

/// What stands in for a number or a type of any text.
constexpr const char *kNumbers[] = {"0",
                                    "1",
                                    "-1",
                                    "2",
                                    "3",
                                    "7",
                                    "64",
                                    "65537",
                                    "4294967296",
                                    "9223372036854775807",
                                    "-9223372036854775808",
                                    "1.0e+30",
                                    "0x7FC00000",
                                    "true"};
constexpr const char *kTypes[] = {"i1",
                                  "i8",
                                  "i32",
                                  "i64",
                                  "ui8",
                                  "si32",
                                  "index",
                                  "f16",
                                  "bf16",
                                  "f32",
                                  "f64",
                                  "f80",
                                  "f8E4M3FN",
                                  "none",
                                  "complex<f32>",
                                  "vector<2xf32>",
                                  "tensor<f32>",
                                  "tensor<*xf32>",
                                  "tensor<0x4xf32>",
                                  "tensor<?x4xf32>",
                                  "tensor<2x3xf32>",
                                  "tensor<4xi32>",
                                  "memref<4xf32>",
                                  "tuple<>",
                                  "!net.u",
                                  "!net.io",
                                  "() -> ()"};
constexpr size_t kMostWords = 4096;

bool isOfWord(char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-'; }

size_t wordSize(StringRef text) {
  if (isSpace(text.front()))
    return text.take_while([](char c) { return isSpace(c); }).size();
  if (text.front() == '"')
    return std::min(text.size(), text.find('"', 1) == StringRef::npos ? text.size() : text.find('"', 1) + 1);
  size_t sign = StringRef("%@#!^-").contains(text.front()) ? 1 : 0;
  return std::max<size_t>(1, sign + text.drop_front(sign).take_while(isOfWord).size());
}

/// Words of all texts so far, by their first character: a name takes the place of a name.
class Memory {
public:
  void keep(StringRef word) {
    if (isSpace(word.front()) || word.size() > 64 || words.size() == kMostWords || !known.insert(word).second)
      return;
    words.push_back(word.str());
  }
  std::string draw(std::mt19937 &random) const {
    switch (random() % 4) {
    case 0: return kNumbers[random() % std::size(kNumbers)];
    case 1: return kTypes[random() % std::size(kTypes)];
    default: return words.empty() ? "x" : words[random() % words.size()];
    }
  }
  /// One that begins like `word`, or any if none of a few does.
  std::string drawLike(StringRef word, std::mt19937 &random) const {
    for (int i = 0; i < 16 && !words.empty(); ++i) {
      const std::string &found = words[random() % words.size()];
      if (found.front() == word.front() || (isDigit(found.front()) && isDigit(word.front())) ||
          (isAlpha(found.front()) && isAlpha(word.front())))
        return found;
    }
    return draw(random);
  }

private:
  StringSet<> known;
  std::vector<std::string> words;
};

void changeOne(std::vector<std::string> &words, const Memory &memory, std::mt19937 &random) {
  if (words.empty())
    words.push_back(memory.draw(random));
  size_t at = random() % words.size(), other = random() % words.size();
  size_t end = std::min(words.size(), at + 1 + random() % 12);
  switch (random() % 8) {
  case 0: words.erase(words.begin() + at, words.begin() + end); return;
  case 1: {
    std::vector<std::string> row(words.begin() + at, words.begin() + end);
    words.insert(words.begin() + other, row.begin(), row.end());
    return;
  }
  case 2: return std::swap(words[at], words[other]);
  case 3: words[at] = memory.draw(random); return;
  case 4: words[at] = words[other]; return;
  case 5: words.erase(words.begin() + at); return;
  default: words[at] = memory.drawLike(words[at], random);
  }
}

} // namespace

std::vector<StringRef> plumb::fuzz::splitWords(StringRef text) {
  std::vector<StringRef> words;
  while (!text.empty()) {
    size_t size = wordSize(text);
    words.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return words;
}

std::string plumb::fuzz::changeWords(StringRef text, unsigned seed) {
  static Memory &memory = *new Memory;
  std::vector<std::string> words;
  for (StringRef word : splitWords(text)) {
    memory.keep(word);
    words.push_back(word.str());
  }
  std::mt19937 random(seed);
  for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
    changeOne(words, memory, random);
  return join(words, "");
}
