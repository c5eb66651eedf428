// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: make_fake_executable OUT.plumb: the fake loops as a file, for tests of the tools.

#include <fstream>

#include "test/runtime/testing/fake_file.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::vector<uint8_t> file = plumb::testing::MakeExecutableFile(plumb::testing::MakeManifest());
  std::ofstream stream(argv[1], std::ios::binary);
  stream.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return stream.good() ? 0 : 1;
}
