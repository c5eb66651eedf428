// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/TimeTable.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace plumb;

using Entry = TimeTable::Entry;

static Entry &findOrAddChild(Entry &parent, llvm::StringRef name) {
  for (auto &child : parent.children)
    if (child->name == name)
      return *child;
  parent.children.push_back(std::make_unique<Entry>(Entry{name.str(), 0, {}}));
  return *parent.children.back();
}

void TimeTable::begin(llvm::StringRef name) {
  Entry &parent = running.empty() ? root : *running.back().entry;
  running.push_back({&findOrAddChild(parent, name), Clock::now()});
}

void TimeTable::leave() {
  Running last = running.back();
  running.pop_back();
  last.entry->seconds += std::chrono::duration<double>(Clock::now() - last.start).count();
}

double TimeTable::total() const {
  double seconds = 0;
  for (const auto &child : root.children)
    seconds += child->seconds;
  return seconds;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printEntry(llvm::raw_ostream &os, const Entry &entry, unsigned level) {
  os.indent(4 * level) << "[" << entry.name << "]: " << llvm::format("%g", entry.seconds);
  if (!entry.children.empty())
    os << ", [" << entry.children.size() << "]";
  os << "\n";
  for (const auto &child : entry.children)
    printEntry(os, *child, level + 1);
}

static void printSum(llvm::raw_ostream &os, const Entry &entry, const std::string &prefix, double total) {
  std::string name = prefix.empty() ? entry.name : prefix + "." + entry.name;
  if (entry.children.empty()) {
    double share = total > 0 ? 100 * entry.seconds / total : 0;
    os << llvm::format("    %-36s : %.6fs : %5.2f%%\n", name.c_str(), entry.seconds, share);
    return;
  }
  for (const auto &child : entry.children)
    printSum(os, *child, name, total);
}

void TimeTable::printText(llvm::raw_ostream &os) const {
  os << "TotalTime = " << llvm::format("%g", total()) << ", [" << root.children.size() << "]\n";
  for (const auto &child : root.children)
    printEntry(os, *child, 0);
  os << "Sums\n";
  for (const auto &child : root.children)
    printSum(os, *child, "", total());
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeEntry(llvm::json::OStream &json, const Entry &entry, double seconds) {
  json.object([&] {
    json.attribute("name", entry.name);
    json.attribute("seconds", seconds);
    json.attributeArray("children", [&] {
      for (const auto &child : entry.children)
        writeEntry(json, *child, child->seconds);
    });
  });
}

void TimeTable::printJson(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  writeEntry(json, root, total());
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

std::string plumb::getPassDisplayName(llvm::StringRef argument) {
  argument.consume_front("plumb-");
  std::string name = argument.str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

namespace {

/// Enters and leaves the table around every pass that a user could name; adaptors have no flag and stay invisible.
class TimeTableInstrumentation : public mlir::PassInstrumentation {
public:
  explicit TimeTableInstrumentation(TimeTable &table) : table(table) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    if (!pass->getArgument().empty())
      table.begin(getPassDisplayName(pass->getArgument()));
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    if (!pass->getArgument().empty())
      table.leave();
  }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override { runAfterPass(pass, op); }

private:
  TimeTable &table;
};

} // namespace

std::unique_ptr<mlir::PassInstrumentation> TimeTable::createInstrumentation() {
  return std::make_unique<TimeTableInstrumentation>(*this);
}
