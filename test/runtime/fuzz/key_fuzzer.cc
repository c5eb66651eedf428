// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Key files: what is read is written as the same key.

#include "runtime/signature/key_file.h"
#include "test/runtime/fuzz/fuzzer.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  auto public_key = plumb::ParsePublicKey(text);
  plumb::fuzz::CheckMessage(public_key.status());
  if (public_key.ok() && plumb::ParsePublicKey(plumb::PublicKeyText(*public_key)).value() != *public_key) std::abort();
  auto secret_key = plumb::ParseSecretKey(text);
  plumb::fuzz::CheckMessage(secret_key.status());
  if (secret_key.ok() && plumb::ParseSecretKey(plumb::SecretKeyText(*secret_key))->bytes() != secret_key->bytes())
    std::abort();
  return 0;
}
