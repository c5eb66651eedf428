// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace plumb;

static llvm::Error makeWriteError(llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot write %s: %s", path.str().c_str(), code.message().c_str());
}

static unsigned getPermissions(bool executable) {
  using namespace llvm::sys::fs;
  unsigned mode = executable ? static_cast<unsigned>(all_all) : static_cast<unsigned>(all_read | all_write);
  return mode & ~getUmask();
}

llvm::Error plumb::writeOutputFile(llvm::StringRef path, llvm::StringRef data, bool executable) {
  if (path == "-") {
    llvm::outs() << data;
    llvm::outs().flush();
    return llvm::Error::success();
  }
  // A device or pipe cannot be replaced by a rename.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path)) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code, llvm::sys::fs::OF_None);
    if (!code)
      os << data;
    return code ? makeWriteError(path, code) : llvm::Error::success();
  }
  auto temporary = llvm::sys::fs::TempFile::create(path + ".tmp-%%%%%%", getPermissions(executable));
  if (!temporary)
    return makeWriteError(path, llvm::errorToErrorCode(temporary.takeError()));
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  os << data;
  os.flush();
  if (std::error_code code = os.error()) {
    os.clear_error();
    llvm::consumeError(temporary->discard());
    return makeWriteError(path, code);
  }
  if (llvm::Error error = temporary->keep(path))
    return makeWriteError(path, llvm::errorToErrorCode(std::move(error)));
  return llvm::Error::success();
}
