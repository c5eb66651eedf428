// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The TotalTime table: a tree of named, accumulated wall-clock times, printed in the layout that users of MindSpore
// know.

#ifndef PLUMB_COMPILER_SUPPORT_TIMETABLE_H
#define PLUMB_COMPILER_SUPPORT_TIMETABLE_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir {
class PassInstrumentation;
} // namespace mlir

namespace plumb {

/// Accumulates times by nested name. Not thread-safe: the compiler runs passes on one thread.
///
///     TimeTable table;
///     { auto stage = table.enter("optimize"); { auto pass = table.enter("cse"); } }
///     table.printText(os);
class TimeTable {
public:
  /// One line of the table. A name that is entered again under the same parent adds to its line.
  struct Entry {
    std::string name;
    double seconds = 0;
    std::vector<std::unique_ptr<Entry>> children;
  };

  /// Ends its entry when it is destroyed.
  class Scope {
  public:
    explicit Scope(TimeTable &table) : table(&table) {}
    Scope(Scope &&other) : table(other.table) { other.table = nullptr; }
    ~Scope() {
      if (table)
        table->leave();
    }

  private:
    TimeTable *table;
  };

  /// Starts the clock of `name` under the entry that runs now.
  Scope enter(llvm::StringRef name) {
    begin(name);
    return Scope(*this);
  }

  void begin(llvm::StringRef name);
  void leave();

  /// Prints `TotalTime = …, [n]`, one `[name]: seconds` line per entry, indented by level, and `Sums` with one line
  /// per leaf: dotted name, seconds, share of the total in percent.
  void printText(llvm::raw_ostream &os) const;

  /// Prints the same tree as `{"name", "seconds", "children"}` objects.
  void printJson(llvm::raw_ostream &os) const;

  /// An instrumentation that enters each pass by its flag's name, without `plumb-` and in snake_case.
  std::unique_ptr<mlir::PassInstrumentation> createInstrumentation();

private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    Entry *entry;
    Clock::time_point start;
  };

  double total() const;

  Entry root{"TotalTime", 0, {}};
  std::vector<Running> running;
};

/// The name under which a pass with this flag appears in tables and dump files: `plumb-insert-state-tokens` becomes
/// `insert_state_tokens`.
std::string getPassDisplayName(llvm::StringRef argument);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_TIMETABLE_H
