// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes `.plumb` files out of the shared object of the fake loops.

#ifndef PLUMB_TEST_RUNTIME_TESTING_FAKE_FILE_H_
#define PLUMB_TEST_RUNTIME_TESTING_FAKE_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "test/runtime/testing/fake_loops.h"

namespace plumb {
namespace testing {

/// The shared object with `manifest` in its section, the sums filled in. `with_image_sum` adds that of the whole file.
std::vector<uint8_t> MakeExecutableFile(abi::ManifestT manifest, bool with_image_sum = true);

/// Sets both sums anew after a change of `file`, as somebody would who wants a file to be taken.
void Seal(std::vector<uint8_t>* file);
/// The same for the sum of the whole file alone, which needs no sound section table.
void SealImage(std::vector<uint8_t>* file);

/// The shared object as the linker left it, without a manifest.
std::vector<uint8_t> ReadSharedObject();

/// Writes a file into the test's temporary folder and returns its path.
std::string WriteTemporary(const std::string& name, const std::vector<uint8_t>& bytes);
std::vector<uint8_t> ReadBytes(const std::string& path);

}  // namespace testing
}  // namespace plumb

#endif  // PLUMB_TEST_RUNTIME_TESTING_FAKE_FILE_H_
