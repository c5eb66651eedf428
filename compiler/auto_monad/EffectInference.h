// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which state a function accesses. A function has an effect of a kind when an op in its body has one, or when it may
// call, directly or through others, a function that has one. The sets only ever grow, so a fixed point over the call
// graph settles recursion, too, without cutting the graph into strongly connected components first.

#ifndef PLUMB_COMPILER_AUTO_MONAD_EFFECT_INFERENCE_H
#define PLUMB_COMPILER_AUTO_MONAD_EFFECT_INFERENCE_H

#include "compiler/auto_monad/Tokens.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetStateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace plumb {

/// The kinds of state that some code accesses. Where both are present, memory comes first.
struct EffectSet {
  /// Reads or writes parameters.
  bool memory = false;
  /// Prints or otherwise speaks to the outside.
  bool io = false;

  bool empty() const { return !memory && !io; }
  unsigned size() const { return unsigned(memory) + unsigned(io); }
  bool operator==(const EffectSet &other) const { return memory == other.memory && io == other.io; }

  /// Adds the kinds of `other`.
  void join(EffectSet other);
  /// Adds one kind.
  void add(net::TokenKind kind);
  /// The kinds present, memory first.
  llvm::SmallVector<net::TokenKind, 2> kinds() const;
  /// The token types of the kinds present, memory first.
  llvm::SmallVector<mlir::Type, 2> tokenTypes(mlir::MLIRContext *context) const;
};

/// The function that `op` calls: the callee of a call, or the function that a gradient op differentiates. Null when
/// `op` is neither or its symbol names no function.
mlir::func::FuncOp lookupCallee(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

/// The effects of every function of a module, and of any op in it.
class EffectInference {
public:
  explicit EffectInference(mlir::ModuleOp module);

  /// The effects of calling `function`.
  EffectSet of(mlir::func::FuncOp function) const { return effects.lookup(function); }
  /// The effects of running `op`, its regions included.
  EffectSet of(mlir::Operation *op) const;

private:
  mutable mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, EffectSet> effects;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTO_MONAD_EFFECT_INFERENCE_H
