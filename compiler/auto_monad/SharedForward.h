// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call whose forward code a gradient behind it goes back through, as programs write a step:
//
//   loss = network(x)
//   gradients = grad(network, weights)(x)
//
// is one run of the network, as in MindSpore: what it counts, averages and draws, it does once.

#ifndef PLUMB_COMPILER_AUTO_MONAD_SHARED_FORWARD_H
#define PLUMB_COMPILER_AUTO_MONAD_SHARED_FORWARD_H

#include "dialects/net/ir/NetGradOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb {

/// The parameters that some code reads or writes.
struct ParameterUse {
  llvm::DenseSet<mlir::StringAttr> accessed, written;
  /// Whether it may access any.
  bool isOpen = false;

  /// Adds what `other` uses.
  void join(const ParameterUse &other);
  /// Whether this code writes what `other` accesses.
  bool disturbs(const ParameterUse &other) const;
};

/// Finds the calls of a module whose forward code gradients share.
class SharedForwards {
public:
  /// The call before `gradient`, in its block, of the same function by the same arguments, behind which nothing writes
  /// what the function accesses; null where there is none, or where the function accesses no state.
  mlir::func::CallOp find(net::ValueAndGradOp gradient);

private:
  const ParameterUse &useOf(mlir::func::FuncOp function);
  ParameterUse useOf(mlir::Operation *op);

  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, ParameterUse> uses;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTO_MONAD_SHARED_FORWARD_H
