// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of guards, as users write them.

#include "runtime/session/guard.h"
#include "test/runtime/fuzz/fuzzer.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  plumb::fuzz::CheckMessage(plumb::ParseGuardRule(std::string(reinterpret_cast<const char*>(data), size)).status());
  return 0;
}
