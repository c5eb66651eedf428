// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows optimization remarks as diagnostics, at the lines of the user's program.

#ifndef PLUMB_COMPILER_SUPPORT_REMARKPRINTER_H
#define PLUMB_COMPILER_SUPPORT_REMARKPRINTER_H

#include "mlir/IR/Remarks.h"

namespace plumb {

/// Turns on the remarks of the categories that match the regular expression `categories`.
mlir::LogicalResult printRemarks(mlir::MLIRContext &context, llvm::StringRef categories);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_REMARKPRINTER_H
