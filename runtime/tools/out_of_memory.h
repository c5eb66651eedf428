// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message where there is no memory even for an exception.

#ifndef PLUMB_RUNTIME_TOOLS_OUT_OF_MEMORY_H_
#define PLUMB_RUNTIME_TOOLS_OUT_OF_MEMORY_H_

namespace plumb {

/// Makes the process end with a message and exit code 1 where nobody catches std::bad_alloc, or there is too little
/// memory to throw it. libstdc++ keeps some for that, but takes it when the process starts: one that had none then
/// would be aborted.
void EndWhenOutOfMemory();

}  // namespace plumb

#endif  // PLUMB_RUNTIME_TOOLS_OUT_OF_MEMORY_H_
