// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/arguments.h"

#include <cstdio>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/abi/versions.h"

namespace plumb {
namespace {

const FlagSpec* Find(const std::vector<FlagSpec>& known, const std::string& name) {
  for (const FlagSpec& flag : known) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<Arguments> Arguments::Parse(int argc, const char* const* argv, const std::vector<FlagSpec>& known) {
  Arguments result;
  bool flags_over = false;
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (flags_over || text.size() < 2 || text[0] != '-') {
      result.operands_.push_back(std::move(text));
      continue;
    }
    if (text == "--") {
      flags_over = true;
      continue;
    }
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const FlagSpec* flag = Find(known, name);
    if (flag == nullptr) return absl::InvalidArgumentError(absl::StrCat("unknown flag '", name, "'"));
    if (!flag->takes_value && equals != std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat("flag '", name, "' takes no value"));
    }
    std::string value;
    if (equals != std::string::npos) {
      value = text.substr(equals + 1);
    } else if (flag->takes_value) {
      if (++i == argc) return absl::InvalidArgumentError(absl::StrCat("flag '", name, "' needs a value"));
      value = argv[i];
    }
    // No flag means anything by an empty value, but a script's empty variable makes one.
    if (flag->takes_value && value.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("flag '", name, "' needs a value, and got an empty one"));
    }
    result.values_[name].push_back(std::move(value));
  }
  return result;
}

std::vector<std::string> Arguments::All(const std::string& flag) const {
  auto found = values_.find(flag);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::string Arguments::Get(const std::string& flag, const std::string& fallback) const {
  auto found = values_.find(flag);
  return found == values_.end() ? fallback : found->second.back();
}

absl::StatusOr<int64_t> Arguments::GetInt(const std::string& flag, int64_t fallback) const {
  if (!Has(flag)) return fallback;
  int64_t value = 0;
  if (absl::SimpleAtoi(Get(flag, ""), &value)) return value;
  return absl::InvalidArgumentError(absl::StrCat("flag '", flag, "' wants a number, not '", Get(flag, ""), "'"));
}

absl::StatusOr<uint64_t> Arguments::GetUInt(const std::string& flag, uint64_t fallback) const {
  if (!Has(flag)) return fallback;
  uint64_t value = 0;
  if (absl::SimpleAtoi(Get(flag, ""), &value)) return value;
  return absl::InvalidArgumentError(
      absl::StrCat("flag '", flag, "' wants a number that is not negative, not '", Get(flag, ""), "'"));
}

bool AnswerCommon(const Arguments& arguments, const char* tool, const char* help) {
  if (arguments.Has("--help") || arguments.Has("-h")) {
    std::fputs(help, stdout);
    return true;
  }
  if (arguments.Has("--version")) {
    std::printf("%s %s\n", tool, abi::kPlumbVersion);
    return true;
  }
  return false;
}

int Fail(const char* tool, const absl::Status& status) {
  std::fflush(stdout);
  absl::string_view message = status.message();
  if (message.empty()) message = "out of memory";  // too little for a message: see StatusOfException
  std::fprintf(stderr, "%s: error: %.*s\n", tool, static_cast<int>(message.size()), message.data());
  return kExitFailure;
}

int FailUsage(const char* tool, const absl::Status& status) {
  std::fprintf(stderr, "%s: error: %s\nTry '%s --help'.\n", tool, std::string(status.message()).c_str(), tool);
  return kExitUsage;
}

}  // namespace plumb
