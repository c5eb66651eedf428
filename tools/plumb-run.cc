// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-run: trains with a sinkable executable.

#include "runtime/tools/run.h"

int main(int argc, char** argv) { return plumb::RunMain(argc, argv); }
