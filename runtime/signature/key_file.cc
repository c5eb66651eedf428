// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/signature/key_file.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/new_file.h"
#include "runtime/base/status.h"

namespace plumb {
namespace {

// Keys and signatures are far shorter.
constexpr size_t kMaxFileBytes = 4096;

/// A kind of key: its PEM label, and the DER bytes that stand before the key's own.
struct KeyForm {
  absl::string_view label;
  absl::string_view prefix;
};

constexpr char kPublicPrefix[] = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
constexpr char kSecretPrefix[] = "\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
const KeyForm kPublic = {"PUBLIC KEY", {kPublicPrefix, sizeof(kPublicPrefix) - 1}};
const KeyForm kSecret = {"PRIVATE KEY", {kSecretPrefix, sizeof(kSecretPrefix) - 1}};

using KeyBytes = std::array<uint8_t, 32>;

std::string Begin(const KeyForm& form) { return absl::StrCat("-----BEGIN ", form.label, "-----"); }
std::string End(const KeyForm& form) { return absl::StrCat("-----END ", form.label, "-----"); }

std::string KeyText(const KeyForm& form, const KeyBytes& key) {
  const absl::string_view bytes(reinterpret_cast<const char*>(key.data()), key.size());
  std::string body;
  absl::Base64Escape(absl::StrCat(form.prefix, bytes), &body);
  return absl::StrCat(Begin(form), "\n", body, "\n", End(form), "\n");
}

absl::StatusOr<KeyBytes> ParseKey(const KeyForm& form, absl::string_view text) {
  absl::string_view body = absl::StripAsciiWhitespace(text);
  std::string der;
  KeyBytes key;
  const bool is_pem = absl::ConsumePrefix(&body, Begin(form)) && absl::ConsumeSuffix(&body, End(form)) &&
                      absl::Base64Unescape(body, &der);
  if (!is_pem || der.size() != form.prefix.size() + key.size() || !absl::StartsWith(der, form.prefix)) {
    return absl::InvalidArgumentError(
        absl::StrCat("not an ed25519 key: a PEM file with one ", form.label, " is wanted"));
  }
  std::copy(der.begin() + form.prefix.size(), der.end(), key.begin());
  return key;
}

absl::StatusOr<std::string> ReadSmallFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    const std::string message = absl::StrCat("cannot be opened: ", std::strerror(errno));
    return errno == ENOENT ? absl::NotFoundError(message) : absl::PermissionDeniedError(message);
  }
  struct stat info;
  const bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  std::string text(kMaxFileBytes + 1, '\0');
  size_t size = 0;
  for (ssize_t count = 1; regular && count > 0 && size < text.size(); size += std::max<ssize_t>(count, 0)) {
    do count = read(file, &text[size], text.size() - size);
    while (count < 0 && errno == EINTR);
  }
  close(file);
  if (!regular) return absl::InvalidArgumentError("is not a regular file");
  if (size > kMaxFileBytes) return absl::InvalidArgumentError("is neither a key nor a signature: it is too long");
  text.resize(size);
  return text;
}

template <typename Key>
absl::StatusOr<Key> ReadKey(const std::string& path, absl::StatusOr<Key> (*parse)(absl::string_view)) {
  auto text = ReadSmallFile(path);
  if (!text.ok()) return Annotate(text.status(), path);
  auto key = parse(*text);
  if (!key.ok()) return Annotate(key.status(), path);
  return key;
}

/// Writes a file that must not exist yet.
absl::Status WriteNew(const std::string& path, const std::string& text, mode_t mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0 && errno == EEXIST) {
    return absl::AlreadyExistsError(absl::StrCat("'", path, "' exists; a key is never replaced"));
  }
  const bool written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(file) == 0;
  const std::string why = std::strerror(errno);
  if (file >= 0) close(file);
  if (written) return absl::OkStatus();
  if (file >= 0) unlink(path.c_str());
  return absl::UnavailableError(absl::StrCat("cannot write '", path, "': ", why));
}

}  // namespace

std::string PublicKeyText(const PublicKey& key) { return KeyText(kPublic, key); }
std::string SecretKeyText(const SecretKey& key) { return KeyText(kSecret, key.bytes()); }

absl::StatusOr<PublicKey> ParsePublicKey(absl::string_view text) {
  if (ParseKey(kSecret, text).ok()) return absl::InvalidArgumentError("a secret key; the public key is wanted");
  return ParseKey(kPublic, text);
}

absl::StatusOr<SecretKey> ParseSecretKey(absl::string_view text) {
  if (ParseKey(kPublic, text).ok()) return absl::InvalidArgumentError("a public key; the secret key is wanted");
  PLUMB_ASSIGN_OR_RETURN(KeyBytes bytes, ParseKey(kSecret, text));
  return SecretKey(bytes);
}

absl::StatusOr<PublicKey> ReadPublicKey(const std::string& path) { return ReadKey(path, &ParsePublicKey); }
absl::StatusOr<SecretKey> ReadSecretKey(const std::string& path) { return ReadKey(path, &ParseSecretKey); }

absl::Status WriteKeys(const SecretKey& key, const std::string& secret_path, const std::string& public_path) {
  PLUMB_ASSIGN_OR_RETURN(PublicKey public_key, PublicKeyOf(key));
  PLUMB_RETURN_IF_ERROR(WriteNew(public_path, PublicKeyText(public_key), 0666));
  const absl::Status status = WriteNew(secret_path, SecretKeyText(key), 0600);
  if (!status.ok()) unlink(public_path.c_str());
  return status;
}

absl::Status WriteSignature(const std::string& path, const Signature& signature) {
  NewFile file(absl::StrCat(path, kSignatureSuffix));
  PLUMB_RETURN_IF_ERROR(file.Create());
  PLUMB_RETURN_IF_ERROR(file.Write(signature.data(), signature.size()));
  return file.Commit();
}

absl::Status CheckSignatureFile(absl::Span<const uint8_t> file, const std::string& path, const PublicKey& key) {
  const std::string beside = absl::StrCat(path, kSignatureSuffix);
  auto signature = ReadSmallFile(beside);
  if (absl::IsNotFound(signature.status())) {
    return absl::DataLossError(absl::StrCat("not signed: there is no '", beside, "'"));
  }
  if (!signature.ok()) return Annotate(signature.status(), beside);
  const auto* bytes = reinterpret_cast<const uint8_t*>(signature->data());
  return Annotate(CheckSignature(file, absl::MakeConstSpan(bytes, signature->size()), key), beside);
}

}  // namespace plumb
