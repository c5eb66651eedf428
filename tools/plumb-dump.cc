// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-dump: reads a sinkable executable without running it.

#include "runtime/tools/dump.h"
#include "runtime/tools/out_of_memory.h"

int main(int argc, char** argv) {
  plumb::EndWhenOutOfMemory();
  return plumb::DumpMain(argc, argv);
}
