// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files, and programs of the system.

#ifndef PLUMB_COMPILER_EMIT_TOOLS_H
#define PLUMB_COMPILER_EMIT_TOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <system_error>

namespace plumb {

/// A temporary file that goes with its object.
class ScratchFile {
public:
  explicit ScratchFile(llvm::StringRef suffix);

  /// Lets `print` write the file; false when the disk refuses.
  bool write(llvm::function_ref<void(llvm::raw_ostream &)> print) const;

  /// The file's bytes, mapped where it is large; null when it cannot be read.
  std::unique_ptr<llvm::WritableMemoryBuffer> read() const;

  llvm::SmallString<128> path;
  std::error_code error;

private:
  llvm::FileRemover remover;
};

/// A file in memory that goes with its object; processes that this one starts can open it while it lives. Making one on
/// a disk takes longer than linking a small program.
class MemoryFile {
public:
  MemoryFile();
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile();

  /// Lets `print` write the file; false when the system refuses.
  bool write(llvm::function_ref<void(llvm::raw_ostream &)> print) const;

  std::string path;

private:
  int descriptor;
};

/// Runs `program`; sets `said` to what it printed, or why it could not run.
/// Returns whether it succeeded.
bool runTool(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments, std::string &said);

/// The first of `names` on PATH or in LLVM's own folder; empty if there is none.
std::string findTool(llvm::ArrayRef<llvm::StringRef> names);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_TOOLS_H
