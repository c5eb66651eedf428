// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: make_fake_executable OUT.plumb: the fake loops as a file, for tests of the tools.
//        make_fake_executable --manifest OUT: the manifest's bytes alone.
//        make_fake_executable --mnist OUT.plumb: the same loops, fed from MNIST's files.

#include <fstream>
#include <string>

#include "test/runtime/testing/fake_file.h"

int main(int argc, char** argv) {
  const bool manifest_only = argc == 3 && std::string(argv[1]) == "--manifest";
  const bool mnist = argc == 3 && std::string(argv[1]) == "--mnist";
  if (argc != 2 && !manifest_only && !mnist) return 2;
  const plumb::abi::ManifestT manifest = mnist ? plumb::testing::MakeMnistManifest() : plumb::testing::MakeManifest();
  const std::vector<uint8_t> file =
      manifest_only ? plumb::testing::PackManifest(manifest) : plumb::testing::MakeExecutableFile(manifest);
  std::ofstream stream(argv[argc - 1], std::ios::binary);
  stream.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return stream.good() ? 0 : 1;
}
