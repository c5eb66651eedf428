// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/PythonCapture.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace plumb;

using llvm::StringRef;

/// The extension modules are built against this Python.
static constexpr const char *interpreter = "/usr/bin/python3";

static bool holdsPackage(StringRef folder) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "plumb", "_capture.py");
  return llvm::sys::fs::exists(path);
}

/// Where the package lies, relative to `bin/plumbc` of an installation or to `tools/plumbc` of a build.
static std::string findPackage(StringRef executablePath) {
  llvm::SmallString<128> real;
  if (llvm::sys::fs::real_path(executablePath, real))
    real = executablePath;
  StringRef folder = llvm::sys::path::parent_path(real);
  for (StringRef relative : {"../lib/python3/dist-packages", "../compiler/python/package"}) {
    llvm::SmallString<128> candidate(folder);
    llvm::sys::path::append(candidate, relative);
    llvm::sys::path::remove_dots(candidate, /*remove_dot_dot=*/true);
    if (holdsPackage(candidate))
      return std::string(candidate);
  }
  return "";
}

/// Puts the package in front of PYTHONPATH of the processes that this one starts. Returns the command that captures:
/// the package's own start where its folder is known, which loads less.
static llvm::SmallVector<std::string> exportPackagePath(StringRef executablePath) {
  std::string path = llvm::sys::Process::GetEnv("PLUMB_PYTHON_PATH").value_or(findPackage(executablePath));
  if (path.empty())
    return {"-m", "plumb._capture"};
  llvm::SmallString<128> start(path);
  llvm::sys::path::append(start, "plumb", "_start.py");
  if (auto inherited = llvm::sys::Process::GetEnv("PYTHONPATH"); inherited && !inherited->empty())
    path += ":" + *inherited;
  setenv("PYTHONPATH", path.c_str(), /*overwrite=*/1);
  if (!llvm::sys::fs::exists(start))
    return {"-m", "plumb._capture"};
  return {std::string(start)};
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The resources' file, or null when the program has written none.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readResources(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read the captured data: " + buffer.getError().message());
  if ((*buffer)->getBufferSize() == 0)
    return nullptr;
  return std::move(*buffer);
}

/// Runs the interpreter, which writes to `module` and `resources`.
static llvm::Error runCapture(StringRef executablePath, StringRef program, llvm::ArrayRef<StringRef> arguments,
                              StringRef module, StringRef resources) {
  llvm::SmallVector<std::string> start = exportPackagePath(executablePath);
  llvm::SmallVector<StringRef> command = {interpreter};
  command.append(start.begin(), start.end());
  command.append({"--output", module, "--resources", resources, program});
  command.append(arguments.begin(), arguments.end());
  std::string message;
  if (llvm::sys::ExecuteAndWait(interpreter, command, std::nullopt, {}, 0, 0, &message) == 0)
    return llvm::Error::success();
  return makeError("cannot capture " + program + (message.empty() ? "" : ": " + message));
}

llvm::Expected<CapturedProgram> plumb::capturePythonProgram(StringRef executablePath, StringRef program,
                                                            llvm::ArrayRef<StringRef> arguments) {
  if (!llvm::sys::fs::can_execute(interpreter))
    return makeError(llvm::Twine("compiling a .py needs ") + interpreter + " (Debian's python3)");
  llvm::SmallString<128> module, resources;
  for (auto [path, suffix] : {std::pair(&module, "mlir"), std::pair(&resources, "safetensors")})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("plumbc", suffix, *path))
      return makeError("cannot make a temporary file: " + code.message());
  llvm::FileRemover removeModule(module), removeResources(resources);
  if (llvm::Error error = runCapture(executablePath, program, arguments, module, resources))
    return error;
  auto text = llvm::MemoryBuffer::getFile(module);
  if (!text)
    return makeError("cannot read the captured module: " + text.getError().message());
  if ((*text)->getBuffer().empty())
    return makeError(program + " ended before Model.train, Model.build or data_sink: there is nothing to compile");
  auto data = readResources(resources);
  if (!data)
    return data.takeError();
  return CapturedProgram{(*text)->getBuffer().str(), std::move(*data)};
}
