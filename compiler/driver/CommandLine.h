// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumbc's command line.

#ifndef PLUMB_COMPILER_DRIVER_COMMANDLINE_H
#define PLUMB_COMPILER_DRIVER_COMMANDLINE_H

namespace plumb {

/// Runs plumbc. Returns 0 when all went well, 1 when the program could not be compiled (and says why on stderr),
/// 2 when the command line is wrong.
int runCompilerMain(int argc, char **argv);

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_COMMANDLINE_H
