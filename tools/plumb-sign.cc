// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-sign: keys, signatures of executables, and their check.

#include "runtime/tools/out_of_memory.h"
#include "runtime/tools/sign.h"

int main(int argc, char** argv) {
  plumb::EndWhenOutOfMemory();
  return plumb::SignMain(argc, argv);
}
