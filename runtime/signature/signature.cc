// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/signature/signature.h"

#include <sodium.h>

#include "runtime/base/status.h"

namespace plumb {
namespace {

static_assert(crypto_sign_PUBLICKEYBYTES == sizeof(PublicKey), "");
static_assert(crypto_sign_BYTES == sizeof(Signature), "");
static_assert(crypto_sign_SEEDBYTES == SecretKey::kBytes, "");

absl::Status Start() {
  // 0: done, 1: it was done before.
  if (sodium_init() >= 0) return absl::OkStatus();
  return absl::InternalError("the library of signatures cannot start");
}

/// Both halves in libsodium's form; the secret one is wiped with the object.
struct KeyPair {
  explicit KeyPair(const SecretKey& key) { crypto_sign_seed_keypair(public_key.data(), secret, key.bytes().data()); }
  ~KeyPair() { sodium_memzero(secret, sizeof(secret)); }
  PublicKey public_key;
  uint8_t secret[crypto_sign_SECRETKEYBYTES];
};

}  // namespace

absl::StatusOr<SecretKey> SecretKey::Make() {
  PLUMB_RETURN_IF_ERROR(Start());
  SecretKey key{std::array<uint8_t, kBytes>{}};
  randombytes_buf(key.seed_.data(), kBytes);
  return key;
}

SecretKey::~SecretKey() { sodium_memzero(seed_.data(), kBytes); }

absl::StatusOr<PublicKey> PublicKeyOf(const SecretKey& key) {
  PLUMB_RETURN_IF_ERROR(Start());
  return KeyPair(key).public_key;
}

absl::StatusOr<Signature> Sign(absl::Span<const uint8_t> message, const SecretKey& key) {
  PLUMB_RETURN_IF_ERROR(Start());
  const KeyPair pair(key);
  Signature signature;
  crypto_sign_detached(signature.data(), nullptr, message.data(), message.size(), pair.secret);
  return signature;
}

absl::Status CheckSignature(absl::Span<const uint8_t> message, absl::Span<const uint8_t> signature,
                            const PublicKey& key) {
  PLUMB_RETURN_IF_ERROR(Start());
  if (signature.size() != sizeof(Signature)) {
    return absl::DataLossError(
        absl::StrCat("a signature has ", sizeof(Signature), " bytes, this one has ", signature.size()));
  }
  if (crypto_sign_verify_detached(signature.data(), message.data(), message.size(), key.data()) == 0)
    return absl::OkStatus();
  return absl::DataLossError("the signature does not fit: the file was changed, or another key signed it");
}

}  // namespace plumb
