// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signed executables by the C API.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/plumb/runtime.h"
#include "runtime/signature/key_file.h"
#include "test/runtime/testing/fake_file.h"

namespace {

using ::testing::HasSubstr;

class SignedTest : public ::testing::Test {
 protected:
  SignedTest()
      : secret_(plumb::SecretKey::Make().value()),
        key_(plumb::PublicKeyText(plumb::PublicKeyOf(secret_).value())),
        file_(plumb::testing::MakeExecutableFile(plumb::testing::MakeManifest())),
        signature_(plumb::Sign(file_, secret_).value()) {}

  /// What the call says; what it loaded is thrown away.
  std::string Take(plumb_status_t* status, plumb_status_code_t code) {
    EXPECT_EQ(plumb_status_code(status), code);
    const std::string message = plumb_status_message(status);
    plumb_status_destroy(status);
    plumb_executable_destroy(executable_);
    executable_ = nullptr;
    return message;
  }
  std::string LoadMemory(plumb_status_code_t code, size_t signature_bytes = 64) {
    return Take(plumb_executable_load_signed_memory(file_.data(), file_.size(), "net", signature_.data(),
                                                    signature_bytes, key_.c_str(), &executable_),
                code);
  }

  plumb::SecretKey secret_;
  std::string key_;
  std::vector<uint8_t> file_;
  plumb::Signature signature_;
  plumb_executable_t* executable_ = nullptr;
};

TEST_F(SignedTest, Memory) {
  EXPECT_EQ(LoadMemory(PLUMB_OK), "");
  EXPECT_EQ(LoadMemory(PLUMB_BAD_FILE, 10), "net: a signature has 64 bytes, this one has 10");
  file_[100] ^= 1;
  EXPECT_EQ(LoadMemory(PLUMB_BAD_FILE),
            "net: the signature does not fit: the file was changed, or another key signed it");
  key_ = plumb::SecretKeyText(secret_);
  EXPECT_EQ(LoadMemory(PLUMB_INVALID_ARGUMENT), "the public key: a secret key; the public key is wanted");
}

TEST_F(SignedTest, File) {
  const std::string path = plumb::testing::WriteTemporary("net.plumb", file_);
  auto load = [&] { return plumb_executable_load_signed_file(path.c_str(), key_.c_str(), &executable_); };
  EXPECT_THAT(Take(load(), PLUMB_BAD_FILE), HasSubstr("net.plumb: not signed: there is no '"));
  ASSERT_TRUE(plumb::WriteSignature(path, signature_).ok());
  EXPECT_EQ(Take(load(), PLUMB_OK), "");
  EXPECT_THAT(Take(plumb_executable_load_signed_file("/nowhere/it", key_.c_str(), &executable_), PLUMB_NOT_FOUND),
              HasSubstr("/nowhere/it: cannot be opened"));
}

TEST_F(SignedTest, NullArguments) {
  Take(plumb_executable_load_signed_file("net.plumb", nullptr, &executable_), PLUMB_INVALID_ARGUMENT);
  Take(
      plumb_executable_load_signed_memory(file_.data(), file_.size(), nullptr, nullptr, 64, key_.c_str(), &executable_),
      PLUMB_INVALID_ARGUMENT);
}

}  // namespace
