// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-bench: measures a sinkable executable.

#include "runtime/tools/bench.h"

int main(int argc, char** argv) { return plumb::BenchMain(argc, argv); }
