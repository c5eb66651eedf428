// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/dump.h"

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/tools/arguments.h"

namespace plumb {
namespace {

constexpr char kTool[] = "plumb-dump";
constexpr char kHelp[] = R"(Usage: plumb-dump FILE [--json]
Shows what an executable (or a program of --emit=exe) says about itself: its target, loops, queues with their data
pipelines, variables, memory plan and sizes. Nothing of it is run, so files for other machines can be read too.

  --json             one JSON object instead of text
  --help, --version

Exit codes: 0 read, 1 not a sound executable, 2 wrong usage.
)";

absl::StatusOr<ExecutableImage> ReadImage(const std::string& path) {
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer file, ReadExecutableFile(path));
  return ExecutableImage::Parse(file.span(), path, ExecutableImage::Programs::kTaken);
}

}  // namespace

int DumpMain(int argc, const char* const* argv) {
  auto arguments =
      Arguments::Parse(argc, argv, {{"--json", false}, {"--help", false}, {"-h", false}, {"--version", false}});
  if (!arguments.ok()) return FailUsage(kTool, arguments.status());
  if (AnswerCommon(*arguments, kTool, kHelp)) return kExitOk;
  if (arguments->operands().size() != 1) {
    return FailUsage(kTool, absl::InvalidArgumentError("one executable is wanted"));
  }
  auto image = ReadImage(arguments->operands()[0]);
  if (!image.ok()) return Fail(kTool, image.status());
  const std::string text = arguments->Has("--json") ? absl::StrCat(DumpJson(*image), "\n") : DumpText(*image);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kExitOk;
}

}  // namespace plumb
