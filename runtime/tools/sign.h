// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plumb-sign: makes keys, signs executables, and checks signatures.

#ifndef PLUMB_RUNTIME_TOOLS_SIGN_H_
#define PLUMB_RUNTIME_TOOLS_SIGN_H_

namespace plumb {

/// The whole tool: returns the exit code.
int SignMain(int argc, const char* const* argv);

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_SIGN_H_
