// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumbc: compiles a training program into a sinkable executable.

#include "compiler/driver/CommandLine.h"

int main(int argc, char** argv) { return plumb::runCompilerMain(argc, argv); }
