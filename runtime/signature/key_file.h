// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys as PEM files (RFC 8410) and signatures as files of 64 bytes: the forms that OpenSSL reads and writes. Errors
// name the file.

#ifndef PLUMB_RUNTIME_SIGNATURE_KEY_FILE_H_
#define PLUMB_RUNTIME_SIGNATURE_KEY_FILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "runtime/signature/signature.h"

namespace plumb {

/// What follows a file's name in that of its signature.
inline constexpr char kSignatureSuffix[] = ".sig";

std::string PublicKeyText(const PublicKey& key);
std::string SecretKeyText(const SecretKey& key);
absl::StatusOr<PublicKey> ParsePublicKey(absl::string_view text);
absl::StatusOr<SecretKey> ParseSecretKey(absl::string_view text);

absl::StatusOr<PublicKey> ReadPublicKey(const std::string& path);
absl::StatusOr<SecretKey> ReadSecretKey(const std::string& path);

/// Writes a new pair; the secret file is the owner's alone to read. Fails where one of the files exists.
absl::Status WriteKeys(const SecretKey& key, const std::string& secret_path, const std::string& public_path);

/// Writes the signature of the file at `path` beside it.
absl::Status WriteSignature(const std::string& path, const Signature& signature);

/// Fails unless the signature beside `path` is one of `file`, the bytes that were read there, by the owner of `key`.
absl::Status CheckSignatureFile(absl::Span<const uint8_t> file, const std::string& path, const PublicKey& key);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SIGNATURE_KEY_FILE_H_
