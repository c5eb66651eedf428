// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straight runs of calls, cut so that LLVM's time stays linear in their number.

#ifndef PLUMB_COMPILER_EMIT_LONGBLOCKS_H
#define PLUMB_COMPILER_EMIT_LONGBLOCKS_H

#include "llvm/IR/Module.h"

namespace plumb {

/// Makes functions of the parts of every block that holds hundreds of calls.
void splitLongBlocks(llvm::Module &module);

} // namespace plumb

#endif // PLUMB_COMPILER_EMIT_LONGBLOCKS_H
