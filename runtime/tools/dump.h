// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-dump: what an executable says about itself, read without running any of its code and on any machine.

#ifndef PLUMB_RUNTIME_TOOLS_DUMP_H_
#define PLUMB_RUNTIME_TOOLS_DUMP_H_

#include <string>

#include "runtime/executable/executable.h"

namespace plumb {

/// The whole tool: returns the exit code.
int DumpMain(int argc, const char* const* argv);

/// The report for people, in paragraphs and tables.
std::string DumpText(const ExecutableImage& image);

/// The same as one JSON object.
std::string DumpJson(const ExecutableImage& image);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_DUMP_H_
