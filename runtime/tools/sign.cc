// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/tools/sign.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/executable/executable.h"
#include "runtime/signature/key_file.h"
#include "runtime/tools/arguments.h"

namespace plumb {
namespace {

constexpr char kTool[] = "plumb-sign";
constexpr char kHelp[] = R"(Usage: plumb-sign keys NAME
       plumb-sign sign --key=NAME.key FILE.plumb…
       plumb-sign verify --key=NAME.pub FILE.plumb…
Says who made an executable: plumb-run --require-signature=NAME.pub takes only what was signed with NAME.key.

  keys               draws a pair of keys: NAME.key, which is secret, and NAME.pub, which those who run your files need
  sign               writes the signature of each file, which must be a sound executable, to FILE.plumb.sig
  verify             checks the signature of each file
  --help, --version

Keys are ed25519 in PEM, signatures 64 bytes over the whole file, as OpenSSL makes and checks them.
Exit codes: 0 all is well, 1 a file is not, 2 wrong usage.
)";

absl::Status MakeKeys(const std::string& name) {
  PLUMB_ASSIGN_OR_RETURN(SecretKey key, SecretKey::Make());
  return WriteKeys(key, absl::StrCat(name, ".key"), absl::StrCat(name, ".pub"));
}

/// Signs only what loads, so that nobody signs a file that was damaged before.
absl::Status SignFile(const std::string& path, const SecretKey& key) {
  PLUMB_ASSIGN_OR_RETURN(AlignedBuffer file, ReadExecutableFile(path));
  PLUMB_RETURN_IF_ERROR(ExecutableImage::Parse(file.span(), path, ExecutableImage::Programs::kTaken).status());
  PLUMB_ASSIGN_OR_RETURN(Signature signature, Sign(file.span(), key));
  return WriteSignature(path, signature);
}

absl::Status SignAll(const std::string& key_path, const std::vector<std::string>& files) {
  PLUMB_ASSIGN_OR_RETURN(SecretKey key, ReadSecretKey(key_path));
  for (const std::string& path : files) PLUMB_RETURN_IF_ERROR(SignFile(path, key));
  return absl::OkStatus();
}

absl::Status VerifyAll(const std::string& key_path, const std::vector<std::string>& files) {
  PLUMB_ASSIGN_OR_RETURN(PublicKey key, ReadPublicKey(key_path));
  for (const std::string& path : files) {
    const FileCheck check = [&](absl::Span<const uint8_t> file) { return CheckSignatureFile(file, path, key); };
    PLUMB_RETURN_IF_ERROR(ReadExecutableFile(path, check).status());
    std::printf("%s: signed by the owner of %s\n", path.c_str(), key_path.c_str());
  }
  return absl::OkStatus();
}

/// What is wrong with the words after the tool's name; nothing if all is right.
std::string UsageError(const std::vector<std::string>& words, bool has_key) {
  if (words.empty()) return "keys, sign or verify is wanted";
  const bool makes_keys = words[0] == "keys";
  if (!makes_keys && words[0] != "sign" && words[0] != "verify") {
    return absl::StrCat("keys, sign or verify is wanted, not '", words[0], "'");
  }
  if (makes_keys && has_key) return "keys takes no --key";
  if (makes_keys && words.size() != 2) return "keys takes one NAME";
  if (!makes_keys && !has_key) return absl::StrCat(words[0], " needs --key=FILE");
  if (words.size() < 2) return absl::StrCat(words[0], " needs the files");
  return "";
}

}  // namespace

int SignMain(int argc, const char* const* argv) {
  auto arguments =
      Arguments::Parse(argc, argv, {{"--key", true}, {"--help", false}, {"-h", false}, {"--version", false}});
  if (!arguments.ok()) return FailUsage(kTool, arguments.status());
  if (AnswerCommon(*arguments, kTool, kHelp)) return kExitOk;
  const std::vector<std::string>& words = arguments->operands();
  const std::string wrong = UsageError(words, arguments->Has("--key"));
  if (!wrong.empty()) return FailUsage(kTool, absl::InvalidArgumentError(wrong));
  const std::string key = arguments->Get("--key", "");
  const std::vector<std::string> files(words.begin() + 1, words.end());
  const absl::Status status = words[0] == "keys"   ? MakeKeys(words[1])
                              : words[0] == "sign" ? SignAll(key, files)
                                                   : VerifyAll(key, files);
  return status.ok() ? kExitOk : Fail(kTool, status);
}

}  // namespace plumb
