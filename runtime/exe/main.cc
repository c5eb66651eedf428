// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main of a stand-alone program: plumb-run with the executable linked in. The compiled object brings these symbols.

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/abi/executable_abi.h"
#include "runtime/tools/out_of_memory.h"
#include "runtime/tools/run.h"

extern "C" {
const plumb_executable_table_t* plumb_executable_query(uint32_t abi_version);
extern const uint8_t plumb_manifest_start[];
extern const uint8_t plumb_manifest_end[];
}

int main(int argc, char** argv) {
  plumb::EndWhenOutOfMemory();
  std::string tool = argc > 0 ? argv[0] : "program";
  tool = tool.substr(tool.rfind('/') + 1);
  const size_t size = static_cast<size_t>(plumb_manifest_end - plumb_manifest_start);
  return plumb::RunLinkedMain(argc, argv, tool.c_str(), &plumb_executable_query,
                              absl::MakeConstSpan(plumb_manifest_start, size));
}
