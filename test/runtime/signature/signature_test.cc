// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures against the vectors of RFC 8032, key files against those of OpenSSL, and every kind of file that must be
// refused.

#include "runtime/signature/signature.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executable/executable.h"
#include "runtime/signature/key_file.h"
#include "test/runtime/testing/fake_file.h"

namespace plumb {
namespace {

using ::plumb::testing::MakeExecutableFile;
using ::plumb::testing::MakeManifest;
using ::plumb::testing::WriteTemporary;
using ::testing::HasSubstr;
using ::testing::Not;

template <typename Array>
Array FromHex(const std::string& hex) {
  const std::string bytes = absl::HexStringToBytes(hex);
  Array array{};
  EXPECT_EQ(bytes.size(), array.size());
  std::copy(bytes.begin(), bytes.end(), array.begin());
  return array;
}

std::vector<uint8_t> Bytes(const std::string& text) { return std::vector<uint8_t>(text.begin(), text.end()); }

// RFC 8032, section 7.1, TEST 2, and what `openssl pkey` makes of its key.
const char kSecretHex[] = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
const char kPublicHex[] = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const char kSignatureHex[] =
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb0"
    "0d29"
    "1612bb0c00";
const char kSecretPem[] =
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7\n"
    "-----END PRIVATE KEY-----\n";
const char kPublicPem[] =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n-----END PUBLIC "
    "KEY-----\n";

TEST(SignatureTest, AgreesWithTheStandard) {
  const SecretKey key(FromHex<std::array<uint8_t, 32>>(kSecretHex));
  const auto public_key = FromHex<PublicKey>(kPublicHex);
  const auto signature = FromHex<Signature>(kSignatureHex);
  EXPECT_EQ(PublicKeyOf(key).value(), public_key);
  EXPECT_EQ(Sign(Bytes("\x72"), key).value(), signature);
  EXPECT_TRUE(CheckSignature(Bytes("\x72"), signature, public_key).ok());
}

TEST(SignatureTest, KeysReadAndWriteAsOpenSslDoes) {
  const SecretKey key(FromHex<std::array<uint8_t, 32>>(kSecretHex));
  EXPECT_EQ(SecretKeyText(key), kSecretPem);
  EXPECT_EQ(PublicKeyText(PublicKeyOf(key).value()), kPublicPem);
  EXPECT_EQ(ParseSecretKey(kSecretPem)->bytes(), key.bytes());
  EXPECT_EQ(ParsePublicKey(kPublicPem).value(), FromHex<PublicKey>(kPublicHex));
}

TEST(SignatureTest, EveryBitCounts) {
  const auto key = FromHex<PublicKey>(kPublicHex);
  const auto signature = FromHex<Signature>(kSignatureHex);
  for (size_t bit = 0; bit < 8 * signature.size(); ++bit) {
    Signature changed = signature;
    changed[bit / 8] ^= 1 << bit % 8;
    EXPECT_FALSE(CheckSignature(Bytes("\x72"), changed, key).ok()) << bit;
  }
  for (size_t bit = 0; bit < 8 * key.size(); ++bit) {
    PublicKey changed = key;
    changed[bit / 8] ^= 1 << bit % 8;
    EXPECT_FALSE(CheckSignature(Bytes("\x72"), signature, changed).ok()) << bit;
  }
  EXPECT_FALSE(CheckSignature(Bytes("\x73"), signature, key).ok());
  EXPECT_FALSE(CheckSignature(Bytes("\x72\x72"), signature, key).ok());
}

// With such a key anybody's signature of anything would fit.
TEST(SignatureTest, RefusesKeysOfSmallOrder) {
  PublicKey identity = {1};
  Signature forged{};
  forged[0] = 1;
  EXPECT_FALSE(CheckSignature(Bytes("anything"), forged, identity).ok());
  EXPECT_FALSE(CheckSignature(Bytes("anything"), forged, PublicKey{}).ok());
}

TEST(SignatureTest, WrongKeyFiles) {
  EXPECT_THAT(std::string(ParsePublicKey(kSecretPem).status().message()),
              HasSubstr("a secret key; the public key is wanted"));
  EXPECT_THAT(std::string(ParseSecretKey(kPublicPem).status().message()),
              HasSubstr("a public key; the secret key is wanted"));
  const std::string text = kPublicPem;
  for (size_t size = 0; size + 1 < text.size(); ++size) EXPECT_FALSE(ParsePublicKey(text.substr(0, size)).ok()) << size;
  const std::string path = WriteTemporary("long.pub", std::vector<uint8_t>(5000, 'x'));
  EXPECT_THAT(std::string(ReadPublicKey(path).status().message()), HasSubstr("too long"));
  EXPECT_THAT(std::string(ReadPublicKey("/tmp").status().message()), HasSubstr("/tmp: is not a regular file"));
  EXPECT_EQ(ReadPublicKey("/nowhere/key.pub").status().code(), absl::StatusCode::kNotFound);
}

TEST(SignatureTest, KeysAreNeverReplaced) {
  const std::string base = WriteTemporary("pair", {});
  const SecretKey key = SecretKey::Make().value();
  ASSERT_TRUE(WriteKeys(key, base + ".key", base + ".pub").ok());
  struct stat info;
  ASSERT_EQ(stat((base + ".key").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(ReadSecretKey(base + ".key")->bytes(), key.bytes());
  const SecretKey other = SecretKey::Make().value();
  EXPECT_NE(other.bytes(), key.bytes());
  EXPECT_THAT(std::string(WriteKeys(other, base + ".key", base + ".pub").message()),
              HasSubstr("a key is never replaced"));
  // A pair of which half exists stays as it is, too.
  ASSERT_EQ(unlink((base + ".pub").c_str()), 0);
  EXPECT_FALSE(WriteKeys(other, base + ".key", base + ".pub").ok());
  EXPECT_EQ(access((base + ".pub").c_str(), F_OK), -1);
  EXPECT_EQ(ReadSecretKey(base + ".key")->bytes(), key.bytes());
}

class SignedFileTest : public ::testing::Test {
 protected:
  SignedFileTest() : key_(SecretKey::Make().value()), public_key_(PublicKeyOf(key_).value()) {}

  std::string WriteSigned(const std::string& name, const std::vector<uint8_t>& file) {
    const std::string path = WriteTemporary(name, file);
    EXPECT_TRUE(WriteSignature(path, Sign(file, key_).value()).ok());
    return path;
  }
  absl::Status Load(const std::string& path) {
    return Executable::Load(path,
                            [&](absl::Span<const uint8_t> file) { return CheckSignatureFile(file, path, public_key_); })
        .status();
  }
  std::string Error(const std::string& path) { return std::string(Load(path).message()); }

  SecretKey key_;
  PublicKey public_key_;
};

TEST_F(SignedFileTest, ASignedFileLoads) {
  EXPECT_EQ(Error(WriteSigned("signed.plumb", MakeExecutableFile(MakeManifest()))), "");
}

// Nothing of the file is looked at but its header: what has no manifest is refused for its signature.
TEST_F(SignedFileTest, TheSignatureComesFirst) {
  std::vector<uint8_t> file = MakeExecutableFile(MakeManifest());
  std::fill(file.begin() + 64, file.end(), 0);
  const std::string path = WriteSigned("first.plumb", file);
  EXPECT_THAT(Error(path), Not(HasSubstr("signature")));
  file.back() = 1;
  WriteTemporary("first.plumb", file);
  EXPECT_EQ(Error(path),
            path + ": " + path + ".sig: the signature does not fit: the file was changed, or another key signed it");
}

// Whoever may put files where signed ones are looked for cannot take memory by holes of 3 GiB.
TEST_F(SignedFileTest, SizesComeBeforeTheSignature) {
  const std::string foreign = WriteSigned("foreign.plumb", Bytes("hello"));
  ASSERT_EQ(truncate(foreign.c_str(), int64_t{3} << 30), 0);
  EXPECT_THAT(Error(foreign), HasSubstr("does not begin as an ELF file does"));
  const std::string tail = WriteSigned("tail.plumb", MakeExecutableFile(MakeManifest()));
  ASSERT_EQ(truncate(tail.c_str(), int64_t{3} << 30), 0);
  EXPECT_THAT(Error(tail), HasSubstr("bytes follow its end"));
  struct rusage used;
  ASSERT_EQ(getrusage(RUSAGE_SELF, &used), 0);
  EXPECT_LT(used.ru_maxrss, 1 << 20);  // KiB
}

TEST_F(SignedFileTest, EveryByteOfTheFileCounts) {
  const std::vector<uint8_t> file = MakeExecutableFile(MakeManifest());
  const std::string path = WriteSigned("byte.plumb", file);
  for (size_t position = 0; position < file.size(); position += 97) {
    std::vector<uint8_t> changed = file;
    changed[position] ^= 0x20;
    WriteTemporary("byte.plumb", changed);
    const char* error = position < 64 ? "not a Plumb executable" : "the signature does not fit";
    EXPECT_THAT(Error(path), HasSubstr(error)) << position;
  }
}

TEST_F(SignedFileTest, MissingCutAndLongSignatures) {
  const std::string path = WriteSigned("cut.plumb", MakeExecutableFile(MakeManifest()));
  const std::vector<uint8_t> signature = testing::ReadBytes(path + ".sig");
  for (size_t size : {size_t{0}, size_t{1}, size_t{63}, size_t{65}, size_t{4096}}) {
    std::vector<uint8_t> cut = signature;
    cut.resize(size);
    WriteTemporary("cut.plumb.sig", cut);
    EXPECT_THAT(Error(path), HasSubstr("a signature has 64 bytes, this one has " + std::to_string(size)));
  }
  WriteTemporary("cut.plumb.sig", std::vector<uint8_t>(5000));
  EXPECT_THAT(Error(path), HasSubstr("cut.plumb.sig: is neither a key nor a signature"));
  ASSERT_EQ(unlink((path + ".sig").c_str()), 0);
  EXPECT_EQ(Error(path), path + ": not signed: there is no '" + path + ".sig'");
}

TEST_F(SignedFileTest, SignaturesOfOthers) {
  abi::ManifestT other = MakeManifest();
  other.name = "other";
  const std::string first = WriteSigned("one.plumb", MakeExecutableFile(MakeManifest()));
  const std::string second = WriteSigned("two.plumb", MakeExecutableFile(std::move(other)));
  const std::vector<uint8_t> signature = testing::ReadBytes(first + ".sig");
  WriteTemporary("two.plumb.sig", signature);
  EXPECT_THAT(Error(second), HasSubstr("the signature does not fit"));
  EXPECT_EQ(Error(first), "");
  public_key_ = PublicKeyOf(SecretKey::Make().value()).value();
  EXPECT_THAT(Error(first), HasSubstr("the signature does not fit"));
}

}  // namespace
}  // namespace plumb
