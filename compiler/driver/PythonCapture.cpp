// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/driver/PythonCapture.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

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

namespace {

/// The capturing process: it writes the module, says "ready", and then answers until its input ends.
class CapturingProcess {
public:
  CapturingProcess() = default;
  CapturingProcess(const CapturingProcess &) = delete;
  ~CapturingProcess() { (void)finish(); }

  /// Starts `command`, whose first word is the program. Both descriptors' numbers follow `--live` in it.
  llvm::Error start(llvm::ArrayRef<std::string> command);
  /// Waits until the module is written; false if the process ended before.
  bool isReady() { return readLine() == "ready"; }
  std::string ask(StringRef request);
  /// Lets the process end. Returns its exit code.
  int finish();

  /// The descriptors that the child sees.
  static constexpr int kChildInput = 198, kChildOutput = 199;

private:
  std::string readLine();

  pid_t child = -1;
  int requests = -1;
  FILE *replies = nullptr;
};

} // namespace

llvm::Error CapturingProcess::start(llvm::ArrayRef<std::string> command) {
  int down[2], up[2];
  signal(SIGPIPE, SIG_IGN); // A process that is gone does not answer; it takes nobody with it.
  if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0)
    return makeError(llvm::Twine("cannot make a pipe: ") + strerror(errno));
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], kChildInput);
  posix_spawn_file_actions_adddup2(&actions, up[1], kChildOutput);
  int code = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(down[0]);
  close(up[1]);
  requests = down[1];
  replies = fdopen(up[0], "r");
  if (code == 0)
    return llvm::Error::success();
  child = -1;
  return makeError(llvm::Twine("cannot start ") + words[0] + ": " + strerror(code));
}

std::string CapturingProcess::readLine() {
  char *line = nullptr;
  size_t room = 0;
  ssize_t size = replies ? getline(&line, &room, replies) : -1;
  std::string text = size > 0 ? std::string(line, size) : "";
  free(line);
  return StringRef(text).rtrim('\n').str();
}

std::string CapturingProcess::ask(StringRef request) {
  std::string line = request.str() + "\n";
  for (size_t sent = 0; sent < line.size();) {
    ssize_t count = write(requests, line.data() + sent, line.size() - sent);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return "";
    sent += count;
  }
  return readLine();
}

int CapturingProcess::finish() {
  if (requests >= 0)
    close(std::exchange(requests, -1));
  if (replies)
    fclose(std::exchange(replies, nullptr));
  int status = 0;
  if (child > 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  child = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// Starts the interpreter, which writes to `module` and `resources`, and waits until it has.
static llvm::Expected<std::shared_ptr<CapturingProcess>> runCapture(StringRef executablePath, StringRef program,
                                                                    llvm::ArrayRef<StringRef> arguments,
                                                                    StringRef module, StringRef resources) {
  llvm::SmallVector<std::string> command = {interpreter};
  command.append(exportPackagePath(executablePath));
  for (StringRef word : {StringRef("--output"), module, StringRef("--resources"), resources, StringRef("--live")})
    command.push_back(word.str());
  command.push_back(std::to_string(CapturingProcess::kChildInput) + "," +
                    std::to_string(CapturingProcess::kChildOutput));
  command.push_back(program.str());
  for (StringRef argument : arguments)
    command.push_back(argument.str());
  auto process = std::make_shared<CapturingProcess>();
  if (llvm::Error error = process->start(command))
    return error;
  if (!process->isReady() && process->finish() != 0)
    return makeError("cannot capture " + program);
  return process;
}

bool plumb::isCaptured(StringRef name) { return name.ends_with(".py") || name.ends_with(".onnx"); }

llvm::Expected<CapturedProgram> plumb::capturePythonProgram(StringRef executablePath, StringRef program,
                                                            llvm::ArrayRef<StringRef> arguments) {
  if (!llvm::sys::fs::can_execute(interpreter))
    return makeError(llvm::Twine("compiling a .py or .onnx needs ") + interpreter + " (Debian's python3)");
  llvm::SmallString<128> module, resources;
  for (auto [path, suffix] : {std::pair(&module, "mlir"), std::pair(&resources, "safetensors")})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile("plumbc", suffix, *path))
      return makeError("cannot make a temporary file: " + code.message());
  llvm::FileRemover removeModule(module), removeResources(resources);
  auto process = runCapture(executablePath, program, arguments, module, resources);
  if (!process)
    return process.takeError();
  auto text = llvm::MemoryBuffer::getFile(module);
  if (!text)
    return makeError("cannot read the captured module: " + text.getError().message());
  if ((*text)->getBuffer().empty())
    return makeError(program + " ended before Model.train, Model.build or data_sink: there is nothing to compile");
  auto data = readResources(resources);
  if (!data)
    return data.takeError();
  return CapturedProgram{(*text)->getBuffer().str(), std::move(*data),
                         [process = *process](StringRef request) { return process->ask(request); }};
}
