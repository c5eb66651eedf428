// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a tool speaks: results on the standard output, messages of four levels on the standard error, and on a terminal
// a line of progress below them that every other line pushes aside.

#ifndef PLUMB_RUNTIME_TOOLS_CONSOLE_H_
#define PLUMB_RUNTIME_TOOLS_CONSOLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace plumb {

/// Messages below the chosen level are not printed; errors always are.
enum class LogLevel { kError, kWarning, kNote, kDebug };

/// Reads `error`, `warning`, `note` or `debug`.
absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view text);

class Console {
 public:
  Console(const char* tool, LogLevel level) : tool_(tool), level_(level) {}
  ~Console() { HideBar(); }

  /// `tool: warning: message`.
  void Warning(absl::string_view message) { Say(LogLevel::kWarning, message); }
  void Note(absl::string_view message) { Say(LogLevel::kNote, message); }
  void Debug(absl::string_view message) { Say(LogLevel::kDebug, message); }

  /// A whole line of the standard output.
  void PrintLine(absl::string_view line);

  /// Whether the standard error is a terminal that can show a bar.
  static bool HasTerminal();
  /// Characters of a line of it.
  static size_t Columns();
  /// Shows `text`, cut to the terminal's width, in place of what was shown before.
  void ShowBar(absl::string_view text);
  void HideBar();

 private:
  void Say(LogLevel level, absl::string_view message);

  const char* const tool_;
  const LogLevel level_;
  bool bar_ = false;
};

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_CONSOLE_H_
