// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PLUMB_CHECK_DIALECT_TD
#define PLUMB_CHECK_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::plumb::check";
  let summary = "What a compiled program checks about itself";
  let description = [{
    A program asserts what its values must be (`check.assert`); a step in which that does not hold is an error.

    Expectations are for tests only. A test states what a value must be beside the operations that make it, goes through every
    stage and runs; so the whole line, down to machine code, is under test, and the expectation stands in the test's text.

    ```
    net.* values ──► check.assert ────(sink)──► a report with a range: outside of it is an error of the host's
    net.* values ──► check.expect_… ──(sink)──► mismatches counted on the device ──► a report per expectation
    ```

    The `sink` stage turns each expectation into a report that counts mismatching elements: 0 when it holds.
    Neighbours: `net` makes the values, `device` carries the reports.
  }];
}

#endif // PLUMB_CHECK_DIALECT_TD
