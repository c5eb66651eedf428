// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-bench: measures a sinkable executable.

#include "runtime/tools/bench.h"
#include "runtime/tools/out_of_memory.h"

int main(int argc, char** argv) {
  plumb::EndWhenOutOfMemory();
  return plumb::BenchMain(argc, argv);
}
