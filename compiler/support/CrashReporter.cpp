// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/CrashReporter.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <mutex>
#include <unistd.h>
#include <utility>

using llvm::StringRef;

namespace plumb {

/// What the handler prints: texts of bounded length, always with their end.
struct CrashReporter::State {
  char stage[64] = "";
  char pass[128] = "";
  char place[1024] = "";
  char path[1024] = "";
  const char *text = nullptr;
  size_t size = 0;
};

namespace {

/// Of the thread. Initial-exec: a handler must not allocate, which other models may do at a thread's first access.
__attribute__((tls_model("initial-exec"))) thread_local CrashReporter::State *current = nullptr;

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction previous[std::size(kSignals)];
std::mutex mutex;
unsigned reporters = 0;

template <size_t N> void copyText(char (&to)[N], StringRef from) {
  size_t size = std::min(from.size(), N - 1);
  std::memcpy(to, from.data(), size);
  to[size] = 0;
}

/// As much as the system takes.
void writeAll(int file, const char *data, size_t size) {
  while (size > 0) {
    ssize_t done = ::write(file, data, size);
    if (done <= 0)
      return;
    data += done;
    size -= done;
  }
}

void say(const char *text) { writeAll(STDERR_FILENO, text, std::strlen(text)); }

bool writeProgram(const CrashReporter::State &state) {
  int file = ::open(state.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  writeAll(file, state.text, state.size);
  ::close(file);
  return true;
}

void report(const CrashReporter::State &state) {
  if (state.place[0]) {
    say(state.place);
    say(": ");
  }
  say("error: the compiler crashed in the stage '");
  say(state.stage);
  if (state.pass[0]) {
    say("', pass '");
    say(state.pass);
  }
  say("'. This is a fault of plumb, not of the program.\n");
  if (writeProgram(state)) {
    say("note: please report it with this file: ");
    say(state.path);
    say(" (the program as the compiler read it; `plumbc ");
    say(state.path);
    say("` repeats the crash)\n");
  }
}

/// Reports once, then lets the signal do what it did before.
void onSignal(int signal) {
  if (CrashReporter::State *state = std::exchange(current, nullptr))
    report(*state);
  for (auto [index, number] : llvm::enumerate(kSignals))
    if (number == signal)
      ::sigaction(signal, &previous[index], nullptr);
  ::raise(signal);
}

/// A stack for the handler: the thread's own may be what is used up. Kept for the thread's life.
void prepareStack() {
  thread_local std::unique_ptr<char[]> memory;
  stack_t now = {};
  if (memory || ::sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_DISABLE))
    return;
  constexpr size_t size = 64 << 10;
  memory = std::make_unique<char[]>(size);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = size;
  ::sigaltstack(&stack, nullptr);
}

void installHandlers() {
  std::lock_guard<std::mutex> lock(mutex);
  if (reporters++ > 0)
    return;
  for (auto [index, signal] : llvm::enumerate(kSignals)) {
    struct sigaction action = {};
    action.sa_handler = &onSignal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, &previous[index]);
  }
}

void removeHandlers() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--reporters > 0)
    return;
  for (auto [index, signal] : llvm::enumerate(kSignals))
    ::sigaction(signal, &previous[index], nullptr);
}

/// Notes passes as they begin.
struct Noter : mlir::PassInstrumentation {
  explicit Noter(CrashReporter::State &state) : state(state) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    StringRef name = pass->getArgument();
    copyText(state.pass, name.empty() ? pass->getName() : name);
    std::string place;
    if (auto at = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
      place = (at.getFilename().getValue() + ":" + llvm::Twine(at.getLine()) + ":" + llvm::Twine(at.getColumn())).str();
    copyText(state.place, place);
  }

  CrashReporter::State &state;
};

} // namespace

CrashReporter::CrashReporter(StringRef name, StringRef text)
    : state(std::make_unique<State>()), outer(std::exchange(current, state.get())) {
  llvm::SmallString<128> path;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
  llvm::sys::path::append(path, "plumb-crash-" + llvm::sys::path::stem(name) + "-" + llvm::Twine(::getpid()) + ".mlir");
  copyText(state->path, path);
  state->text = text.data();
  state->size = text.size();
  prepareStack();
  installHandlers();
}

CrashReporter::~CrashReporter() {
  removeHandlers();
  current = outer;
}

void CrashReporter::enterStage(StringRef name) {
  copyText(state->stage, name);
  copyText(state->pass, "");
  copyText(state->place, "");
}

std::unique_ptr<mlir::PassInstrumentation> CrashReporter::createInstrumentation() {
  return std::make_unique<Noter>(*state);
}

std::string CrashReporter::writeReproducer() const { return writeProgram(*state) ? std::string(state->path) : ""; }

CrashReporterThread::CrashReporterThread() : state(current) {}

void CrashReporterThread::enter() const {
  current = state;
  if (state)
    prepareStack();
}

} // namespace plumb
