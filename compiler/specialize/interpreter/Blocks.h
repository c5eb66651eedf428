// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has blocks of statements run without being statements itself: loops, `try`, calls.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BLOCKS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BLOCKS_H

#include "compiler/specialize/tensors/InterpreterTypes.h"

#include "mlir/IR/Block.h"

namespace plumb::specialize {

/// Runs blocks of statements; see Statements.h.
class Blocks {
public:
  virtual ~Blocks() = default;

  /// Runs the statements of a block, and `next` behind them.
  virtual FailureOr<Exit> runBlock(mlir::Block &block, Continuation next) = 0;

  /// Runs the statements of a block, and nothing behind them.
  FailureOr<Exit> runBlock(mlir::Block &block) {
    return runBlock(block, [](Exit exit) -> FailureOr<Exit> { return exit; });
  }
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_BLOCKS_H
