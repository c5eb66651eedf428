// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values where two sides of a branch on a tensor meet. See Joins.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_JOINS_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_JOINS_H

#include "compiler/specialize/run/Run.h"
#include "compiler/specialize/tensors/TensorWriter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace plumb::specialize {

/// Joins values. Knows neither how the sides end nor what they change.
class Joins : public Part {
public:
  Joins(Workspace &workspace, TensorWriter &writer) : Part(workspace), writer(writer) {}

  /// What both sides have in one place, of tensors of the left side that the results of the branch replace; nothing
  /// where that cannot be joined.
  std::optional<AbstractValue> join(Join &join, const AbstractValue &left, const AbstractValue &right);
  /// Hands over what only one side has: the other side gives zeros, which are not read. Tensors and containers from
  /// before the branch stay what they are.
  void pass(Join &join, bool isLeft, const AbstractValue &value);
  /// Gives `behind` the names of both sides, and enters those that results replace the tensors of into `joined`.
  /// Disagreement is kept as an undefined value.
  void joinNames(Join &join, const State &left, const State &right, State &behind,
                 llvm::SmallVectorImpl<StringAttr> &joined);
  /// Replaces `skeleton`, an scf.if without results, by one that yields what both sides hand over. Returns what stands
  /// behind it for each: its result, or the one value that both sides have from before it.
  llvm::SmallVector<Value> finish(mlir::scf::IfOp skeleton, const Join &join);

private:
  std::optional<AbstractValue> joinTensors(Join &join, const AbstractValue &left, const AbstractValue &right);
  std::optional<AbstractValue> joinCallables(Join &join, const AbstractValue &left, const AbstractValue &right);
  AbstractValue refuseOneSided(const Join &join, StringAttr name, bool isLeft) const;
  AbstractValue refuseDifferent(const Join &join, StringAttr name, const AbstractValue &left,
                                const AbstractValue &right) const;
  std::optional<Value> makeJoinable(Location location, mlir::Block *block, const AbstractValue &value,
                                    mlir::Type elementType);

  TensorWriter &writer;
};

/// A value beside another one that is told by its keys, or is another object: "a dict with the keys (…)".
std::string describeBeside(const AbstractValue &value, const AbstractValue &other, bool isFirst);

/// "… if the condition holds, but … if it does not", of two values that cannot be joined.
std::string describeDifference(const AbstractValue &left, const AbstractValue &right);

/// Where `region` assigns `name` last; where `op` stands if it does not.
Location findStore(mlir::Operation *op, mlir::Region &region, StringAttr name);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_JOINS_H
