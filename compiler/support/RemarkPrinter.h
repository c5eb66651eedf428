// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows optimization remarks as diagnostics, each once, at the lines of the user's program.

#ifndef PLUMB_COMPILER_SUPPORT_REMARKPRINTER_H
#define PLUMB_COMPILER_SUPPORT_REMARKPRINTER_H

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringRef.h"

namespace plumb {

/// The categories of remarks that passes emit; a new one is added here and in `plumbc --help`.
inline constexpr llvm::StringLiteral remarkCategories[] = {"layout", "plan"};

/// Turns on the remarks of the categories that match the regular expression `categories`.
mlir::LogicalResult printRemarks(mlir::MLIRContext &context, llvm::StringRef categories);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_REMARKPRINTER_H
