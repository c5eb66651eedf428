// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-run itself: the executable is a file, which may have to be signed. Apart from run.cc, so that programs of
// --emit=exe need no library of signatures.

#include "runtime/base/status.h"
#include "runtime/signature/key_file.h"
#include "runtime/tools/run.h"

namespace plumb {
namespace {

absl::StatusOr<std::shared_ptr<const Executable>> LoadFile(const Arguments& arguments) {
  const std::string& path = arguments.operands()[0];
  if (!arguments.Has("--require-signature")) return Executable::Load(path);
  auto key = ReadPublicKey(arguments.Get("--require-signature", ""));
  if (!key.ok()) return Annotate(key.status(), "--require-signature");
  return Executable::Load(path, [&](absl::Span<const uint8_t> file) { return CheckSignatureFile(file, path, *key); });
}

}  // namespace

int RunMain(int argc, const char* const* argv) {
  TrainingTool tool;
  tool.name = "plumb-run";
  tool.takes_file = true;
  tool.flags = {{"--require-signature", true}};
  tool.help = "  --require-signature=KEY  takes only a file that the owner of this public key signed: see plumb-sign\n";
  tool.load = &LoadFile;
  return RunTrainingTool(argc, argv, tool);
}

}  // namespace plumb
