// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/checkpoint/name_map.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

constexpr size_t kMaxStars = 4;
constexpr absl::string_view kNothing = "-";

/// Whether `pattern` fits all of `text`; `found` gets the texts of its stars, each as short as the rest allows.
bool Fits(absl::string_view pattern, absl::string_view text, std::vector<absl::string_view>* found) {
  const size_t star = pattern.find('*');
  if (star == absl::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  pattern.remove_prefix(star + 1);
  text.remove_prefix(star);
  const size_t taken = found->size();
  for (size_t length = 0; length <= text.size(); ++length) {
    found->resize(taken);
    found->push_back(text.substr(0, length));
    if (Fits(pattern, text.substr(length), found)) return true;
  }
  return false;
}

std::string Fill(absl::string_view pattern, const std::vector<absl::string_view>& found) {
  std::string text;
  size_t star = 0;
  for (char each : pattern) {
    if (each == '*') {
      absl::StrAppend(&text, found[star++]);
    } else {
      text.push_back(each);
    }
  }
  return text;
}

size_t Stars(absl::string_view pattern) { return static_cast<size_t>(std::count(pattern.begin(), pattern.end(), '*')); }

absl::Status LineError(absl::string_view name, int line, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(name, ":", line, ": ", what));
}

}  // namespace

/// A star that took too little takes one more; only the last one can have.
bool FitsPattern(absl::string_view pattern, absl::string_view name) {
  size_t at = 0, star = absl::string_view::npos, taken = 0;
  for (size_t i = 0; i < name.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = i;
    } else if (at < pattern.size() && pattern[at] == name[i]) {
      ++at;
      ++i;
    } else if (star != absl::string_view::npos) {
      at = star + 1;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == absl::string_view::npos;
}

absl::StatusOr<NameMap> NameMap::Read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened: ", std::strerror(errno)));
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) return absl::DataLossError(absl::StrCat(path, ": cannot be read"));
  return Parse(text, path);
}

absl::StatusOr<NameMap> NameMap::Parse(absl::string_view text, absl::string_view name) {
  NameMap map;
  map.name_ = std::string(name);
  int line = 0;
  for (absl::string_view content : absl::StrSplit(text, '\n')) {
    ++line;
    content = content.substr(0, content.find('#'));
    const std::vector<absl::string_view> words = absl::StrSplit(content, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    if (words.empty()) continue;
    if (words.size() != 2) {
      return LineError(name, line,
                       absl::StrCat("a line has two names, the file's and the program's, and not ", words.size()));
    }
    if (words[0] == kNothing) {
      if (words[1] == kNothing) return LineError(name, line, "nothing is mapped to nothing");
      map.lacking_.emplace_back(words[1]);
      continue;
    }
    if (words[1] != kNothing && Stars(words[0]) != Stars(words[1]))
      return LineError(name, line, "both names have as many '*'");
    if (Stars(words[0]) > kMaxStars || Stars(words[1]) > kMaxStars) {
      return LineError(name, line, absl::StrCat("more than ", kMaxStars, " '*'"));
    }
    map.rules_.push_back({line, std::string(words[0]), std::string(words[1])});
  }
  return map;
}

absl::StatusOr<std::vector<absl::optional<std::string>>> NameMap::Apply(const std::vector<std::string>& theirs) const {
  std::vector<absl::optional<std::string>> result;
  std::vector<bool> used(rules_.size());
  std::map<std::string, std::string> sources;
  for (const std::string& name : theirs) {
    std::vector<absl::string_view> found;
    size_t rule = 0;
    while (rule < rules_.size() && !Fits(rules_[rule].theirs, name, &found)) {
      ++rule;
      found.clear();
    }
    if (rule < rules_.size()) used[rule] = true;
    if (rule < rules_.size() && rules_[rule].ours == kNothing) {
      result.emplace_back();
      continue;
    }
    result.emplace_back(rule < rules_.size() ? Fill(rules_[rule].ours, found) : name);
    const auto [source, is_new] = sources.emplace(*result.back(), name);
    if (!is_new) {
      return absl::InvalidArgumentError(absl::StrCat(name_, ": '", source->second, "' and '", name,
                                                     "' of the file both become '", *result.back(), "'"));
    }
  }
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (used[i]) continue;
    return LineError(name_, rules_[i].line, absl::StrCat("'", rules_[i].theirs, "' fits no name of the file"));
  }
  return result;
}

bool NameMap::MayLack(absl::string_view ours) const {
  return std::any_of(lacking_.begin(), lacking_.end(),
                     [&](const std::string& pattern) { return FitsPattern(pattern, ours); });
}

}  // namespace plumb
