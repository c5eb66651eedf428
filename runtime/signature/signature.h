// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ed25519 signatures (RFC 8032) of whole files, as bytes.

#ifndef PLUMB_RUNTIME_SIGNATURE_SIGNATURE_H_
#define PLUMB_RUNTIME_SIGNATURE_SIGNATURE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace plumb {

using PublicKey = std::array<uint8_t, 32>;
using Signature = std::array<uint8_t, 64>;

/// The 32 bytes from which the public key follows. They are wiped when the object goes.
class SecretKey {
 public:
  static constexpr size_t kBytes = 32;

  /// Draws a key from the system's source of randomness.
  static absl::StatusOr<SecretKey> Make();
  explicit SecretKey(const std::array<uint8_t, kBytes>& seed) : seed_(seed) {}
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();

  const std::array<uint8_t, kBytes>& bytes() const { return seed_; }

 private:
  std::array<uint8_t, kBytes> seed_;
};

absl::StatusOr<PublicKey> PublicKeyOf(const SecretKey& key);

absl::StatusOr<Signature> Sign(absl::Span<const uint8_t> message, const SecretKey& key);

/// Fails unless `signature` is 64 bytes that the owner of `key` made for exactly this message.
absl::Status CheckSignature(absl::Span<const uint8_t> message, absl::Span<const uint8_t> signature,
                            const PublicKey& key);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_SIGNATURE_SIGNATURE_H_
