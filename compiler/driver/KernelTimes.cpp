// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/KernelTimes.h"

#include "compiler/emit/Tools.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace plumb;

using llvm::Expected;
using llvm::StringRef;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

Expected<KernelBench> KernelBench::find() {
  KernelBench bench;
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&makeError));
  auto program = llvm::sys::findProgramByName("plumb-bench", {llvm::sys::path::parent_path(self)});
  if (!program)
    program = llvm::sys::findProgramByName("plumb-bench");
  if (!program)
    return makeError("--tune measures with plumb-bench, which is neither beside plumbc nor on PATH");
  bench.program = *program;
  return bench;
}

/// The text of a scratch file.
static std::string getText(const ScratchFile &file) {
  auto buffer = file.read();
  return buffer ? StringRef(buffer->getBufferStart(), buffer->getBufferSize()).trim().str() : "";
}

static Expected<KernelTimes> readTimes(StringRef text) {
  Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  KernelTimes times;
  const llvm::json::Object *profile = value->getAsObject();
  const llvm::json::Array *kernels = profile ? profile->getArray("kernels") : nullptr;
  if (!kernels)
    return makeError("plumb-bench printed no kernels");
  times.stepMicroseconds = profile->getNumber("step_microseconds").value_or(0);
  for (const llvm::json::Value &each : *kernels)
    if (const llvm::json::Object *kernel = each.getAsObject())
      if (std::optional<double> ticks = kernel->getNumber("ticks"))
        times.ticks[kernel->getString("name").value_or("")] = *ticks;
  return times;
}

Expected<KernelTimes> KernelBench::run(StringRef path, int64_t steps) const {
  ScratchFile printed("json"), said("log");
  std::string count = "--steps=" + std::to_string(steps), message;
  StringRef arguments[] = {program, path, "--kernels", "--json", "--resident", count};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(printed.path), StringRef(said.path)};
  int code = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &message);
  if (code != 0)
    return makeError("--tune cannot run the program: " + (message.empty() ? getText(said) : message));
  return readTimes(getText(printed));
}
