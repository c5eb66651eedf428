// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/PackageFile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

size_t plumb::findPackage(StringRef file) {
  constexpr StringRef name = "/plumb/";
  for (size_t position = file.rfind(name); position != StringRef::npos;
       position = file.take_front(position).rfind(name)) {
    StringRef folder = file.take_front(position + name.size());
    if (!llvm::sys::fs::exists(folder) || llvm::sys::fs::exists(folder + "_engine.py"))
      return position;
  }
  return StringRef::npos;
}
