// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocked batches. A batch axis that becomes innermost is first split into blocks of kBlockEntries entries, and the
// blocks become the outermost axis:
//
//   32x6x14x14  →  2x16x6x14x14        and with the batch innermost       2x6x14x14x16, not 6x14x14x32
//
// So the data of one block are contiguous: threads that process different blocks share no cache lines except those of
// the kernels, and more of a block's data stay in L1 and L2.

#ifndef PLUMB_COMPILER_LOWER_BLOCKBATCHES_H
#define PLUMB_COMPILER_LOWER_BLOCKBATCHES_H

#include "compiler/lower/LayoutPlan.h"

namespace plumb {

/// Splits the batches of `plan` for which all operations can work on blocks, and replaces their tensors in the plan.
void blockBatches(LayoutPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_BLOCKBATCHES_H
