// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-run: trains with a sinkable executable.

#include "runtime/tools/out_of_memory.h"
#include "runtime/tools/run.h"

int main(int argc, char** argv) {
  plumb::EndWhenOutOfMemory();
  return plumb::RunMain(argc, argv);
}
