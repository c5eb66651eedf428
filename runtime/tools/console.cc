// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace plumb {
namespace {

constexpr const char* kLevels[] = {"error", "warning", "note", "debug"};
constexpr size_t kUsualColumns = 80;

}  // namespace

size_t Console::Columns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view text) {
  for (int i = 0; i < 4; ++i) {
    if (text == kLevels[i]) return static_cast<LogLevel>(i);
  }
  return absl::InvalidArgumentError(absl::StrCat("--log is error, warning, note or debug, not '", text, "'"));
}

void Console::Say(LogLevel level, absl::string_view message) {
  if (level > level_) return;
  HideBar();
  std::fprintf(stderr, "%s: %s: %.*s\n", tool_, kLevels[static_cast<int>(level)], static_cast<int>(message.size()),
               message.data());
}

void Console::PrintLine(absl::string_view line) {
  HideBar();
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

bool Console::HasTerminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

void Console::ShowBar(absl::string_view text) {
  text = text.substr(0, std::min(text.size(), Columns() - 1));
  // Back to the line's beginning, the text, and what is left of the text before it erased.
  std::fprintf(stderr, "\r%.*s\x1b[K", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
  bar_ = true;
}

void Console::HideBar() {
  if (!bar_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  bar_ = false;
}

}  // namespace plumb
