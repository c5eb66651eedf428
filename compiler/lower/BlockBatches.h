// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches in blocks. A batch that lies innermost is cut into blocks of as many entries as layouts have lanes, and the
// blocks become the outermost axis:
//
//   32x6x14x14  →  2x16x6x14x14        and with the batch innermost       2x6x14x14x16, not 6x14x14x32
//
// So what one block of a batch needs lies together: threads that take a block each share no lines of memory but those
// of the kernels, and the nearer caches hold more of what a block comes by.

#ifndef PLUMB_COMPILER_LOWER_BLOCKBATCHES_H
#define PLUMB_COMPILER_LOWER_BLOCKBATCHES_H

#include "compiler/lower/LayoutPlan.h"

namespace plumb {

/// Cuts the batches of `plan`, where all operations on them can be cut alike, and lets it speak of the new tensors.
void blockBatches(LayoutPlan &plan);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_BLOCKBATCHES_H
