// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files are gone afterwards whatever happens.

#include "compiler/emit/Tools.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace plumb;

/// Lets `print` write to `os`, which is closed then; whether all of it went well.
static bool printTo(raw_fd_ostream &os, function_ref<void(raw_ostream &)> print) {
  print(os);
  os.close();
  bool isGood = !os.has_error();
  os.clear_error();
  return isGood;
}

ScratchFile::ScratchFile(StringRef suffix) {
  error = sys::fs::createTemporaryFile("plumb", suffix, path);
  if (!error)
    remover.setFile(path);
}

bool ScratchFile::write(function_ref<void(raw_ostream &)> print) const {
  std::error_code failed;
  raw_fd_ostream os(path, failed);
  return !failed && printTo(os, print);
}

std::unique_ptr<WritableMemoryBuffer> ScratchFile::read() const {
  auto buffer = WritableMemoryBuffer::getFile(path);
  return buffer ? std::move(*buffer) : nullptr;
}

MemoryFile::MemoryFile() : descriptor(memfd_create("plumb", MFD_CLOEXEC)) {
  path = "/proc/" + std::to_string(sys::Process::getProcessId()) + "/fd/" + std::to_string(descriptor);
}

MemoryFile::~MemoryFile() {
  if (descriptor >= 0)
    close(descriptor);
}

bool MemoryFile::write(function_ref<void(raw_ostream &)> print) const {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0)
    return false;
  raw_fd_ostream os(copy, /*shouldClose=*/true);
  return printTo(os, print);
}

bool plumb::runTool(StringRef program, ArrayRef<StringRef> arguments, std::string &said) {
  ScratchFile log("log");
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log.path), StringRef(log.path)};
  std::string message;
  int code = sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &message);
  auto printed = log.read();
  said = message.empty() && printed ? StringRef(printed->getBufferStart(), printed->getBufferSize()).trim().str()
                                    : message;
  return code == 0;
}

std::string plumb::findTool(ArrayRef<StringRef> names) {
  static constexpr StringRef own[] = {"/usr/lib/llvm-22/bin"};
  for (StringRef name : names) {
    auto path = sys::findProgramByName(name);
    if (!path)
      path = sys::findProgramByName(name, own);
    if (path)
      return *path;
  }
  return "";
}
