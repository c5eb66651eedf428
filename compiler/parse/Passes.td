// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the parse stage.

#ifndef PLUMB_COMPILER_PARSE_PASSES_TD
#define PLUMB_COMPILER_PARSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyParsedPass : Pass<"plumb-verify-parsed", "::mlir::ModuleOp"> {
  let summary = "Check that entries call functions and that Python operations know their lines";
  let description = [{
    There is an entry and it calls something callable, Python-level operations
    stand inside Python functions and know their lines. Changes nothing.
  }];
}

#endif // PLUMB_COMPILER_PARSE_PASSES_TD
