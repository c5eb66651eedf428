// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-dump: reads a sinkable executable without running it.

#include "runtime/tools/dump.h"

int main(int argc, char** argv) { return plumb::DumpMain(argc, argv); }
