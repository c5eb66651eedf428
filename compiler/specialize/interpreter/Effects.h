// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a typed function does beside computing its results.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EFFECTS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EFFECTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb::specialize {

/// Of a function and all that it calls, also as the rules of gradients; null where there is no such operation.
struct Effects {
  mlir::Operation *print = nullptr;    ///< One that prints.
  mlir::Operation *stateful = nullptr; ///< One that writes a Parameter or draws a number.
  mlir::Operation *unsafe =
      nullptr;          ///< One that may end the launch, or never ends: what is not reached must not run it.
  bool hasRule = false; ///< Whether a gradient rule of the program is among the functions.
};

Effects getEffects(mlir::func::FuncOp function);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_EFFECTS_H
