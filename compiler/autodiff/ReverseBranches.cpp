// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse of `scf.if`: an `scf.if` on the same condition, whose branches are the reverse walks of the forward
// branches. It yields the adjoints of what the branches capture, and of the parameters that they read or write.
//
//   %y = scf.if %c {                          %y, %saved = scf.if %c {
//     %a = net.exp %x                           %a = net.exp %x
//     yield %a                                  yield %a, %a
//   } else {                          ->      } else { yield %x, %zero }
//     yield %x                                …
//   }                                         %dx = scf.if %c { yield (%dy * %saved) } else { yield %dy }
//
// A reverse branch may need what its forward branch computed. Such values are saved: the forward `scf.if` yields them,
// too, next to zeros from the other branch, which are not read. Effects of the forward branch thus happen once, and no
// work is done twice. A saved value of one branch shares its result with one of the same type of the other branch.
// Test: test/compiler/autodiff/expand_gradients_control_flow.mlir.

#include "compiler/auto_monad/Tokens.h"
#include "compiler/autodiff/ReverseWalk.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace plumb;

namespace {

/// One branch in reverse: its code, not yet in a region, and the adjoints at its start.
struct ReverseBranch {
  std::unique_ptr<Block> block = std::make_unique<Block>();
  Adjoints adjoints;
};

/// The results that a forward branch op gets for values its reverse needs.
struct SavedValues {
  /// The types of the new results.
  SmallVector<Type> types;
  /// Per region, the values behind them; null where the other region alone has one.
  SmallVector<Value> yielded[2];
  /// Per region, from saved value to the number of its new result.
  llvm::DenseMap<Value, unsigned> slots[2];
};

} // namespace

/// Whether `value` is made inside `op`.
static bool isInside(Value value, Operation *op) {
  Region *region = value.getParentRegion();
  return region && op->isAncestor(region->getParentOp());
}

/// Walks `region` backwards into a block of its own, starting with the adjoints of the results of `op`.
static LogicalResult
buildReverseBranch(scf::IfOp op, Region &region, const Adjoints &adjoints, ReverseBranch &branch,
                   llvm::function_ref<LogicalResult(ArrayRef<Operation *>, OpBuilder &, Adjoints &)> walk) {
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(branch.block.get());
  branch.adjoints.parameters = adjoints.parameters;
  if (region.empty())
    return success();
  Block &block = region.front();
  for (auto [yielded, result] : llvm::zip(block.getTerminator()->getOperands(), op.getResults()))
    if (Value adjoint = adjoints.get(result))
      branch.adjoints.add(builder, op.getLoc(), yielded, adjoint);
  SmallVector<Operation *> ops = llvm::map_to_vector(block.without_terminator(), [](Operation &o) { return &o; });
  return walk(ops, builder, branch.adjoints);
}

/// Clones the constants that `reverse` takes from inside `op` to its start, so that they need no saving.
static void copyConstants(Operation *op, Block &reverse) {
  llvm::DenseMap<Operation *, Operation *> copies;
  reverse.walk([&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      if (!source || !source->hasTrait<OpTrait::ConstantLike>() || !op->isProperAncestor(source))
        continue;
      Operation *&copy = copies[source];
      if (!copy) {
        copy = source->clone();
        reverse.push_front(copy);
      }
      operand.set(copy->getResult(0));
    }
  });
}

/// Finds what each reverse branch takes from inside its forward branch, and gives each a result.
static SavedValues collectSavedValues(scf::IfOp op, MutableArrayRef<ReverseBranch> branches) {
  SavedValues saved;
  for (auto [number, branch] : llvm::enumerate(branches)) {
    copyConstants(op, *branch.block);
    llvm::SetVector<Value> needed;
    branch.block->walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        if (isInside(operand, op))
          needed.insert(operand);
    });
    for (auto [key, adjoint] : branch.adjoints.values)
      if (!isInside(key, op) && isInside(adjoint, op))
        needed.insert(adjoint);
    saved.yielded[number].resize(saved.types.size());
    for (Value value : needed) {
      unsigned slot = 0;
      while (slot < saved.types.size() && (saved.types[slot] != value.getType() || saved.yielded[number][slot]))
        ++slot;
      if (slot == saved.types.size()) {
        saved.types.push_back(value.getType());
        saved.yielded[number].push_back(Value());
      }
      saved.yielded[number][slot] = value;
      saved.slots[number][value] = slot;
    }
  }
  for (SmallVector<Value> &yielded : saved.yielded)
    yielded.resize(saved.types.size());
  return saved;
}

/// Stands for a saved value in the branch that does not make it; never read.
static Value buildUnread(OpBuilder &builder, Location loc, Type type) {
  if (isTokenType(type)) // which a loop inside of the other branch carries
    return net::TokenOp::create(builder, loc, type);
  return buildSplat(builder, loc, type, 0.0);
}

/// Rebuilds `op` with the saved values as further results.
static scf::IfOp saveValues(scf::IfOp op, const SavedValues &saved) {
  if (saved.types.empty())
    return op;
  OpBuilder builder(op);
  SmallVector<Type> types(op.getResultTypes());
  llvm::append_range(types, saved.types);
  auto replacement = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(), /*addElseBlock=*/false);
  for (unsigned i : {0u, 1u}) {
    Region &region = replacement->getRegion(i);
    region.takeBody(op->getRegion(i));
    if (region.empty()) {
      builder.createBlock(&region);
      scf::YieldOp::create(builder, op.getLoc());
    }
    Operation *yield = region.front().getTerminator();
    builder.setInsertionPoint(yield);
    for (auto [value, type] : llvm::zip(saved.yielded[i], saved.types))
      yield->insertOperands(yield->getNumOperands(), value ? value : buildUnread(builder, op.getLoc(), type));
  }
  op->replaceAllUsesWith(replacement->getResults().take_front(op->getNumResults()));
  op->erase();
  return replacement;
}

/// Makes the code of `branch` take its saved values from the results of `forward`.
static void useSavedValues(scf::IfOp forward, const SavedValues &saved, unsigned number, ReverseBranch &branch) {
  unsigned first = forward->getNumResults() - saved.types.size();
  for (auto [value, slot] : saved.slots[number]) {
    Value result = forward->getResult(first + slot);
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return use.getOwner()->getBlock() == branch.block.get() || branch.block->findAncestorOpInBlock(*use.getOwner());
    });
    for (auto &[key, adjoint] : branch.adjoints.values)
      if (adjoint == value)
        adjoint = result;
  }
}

namespace {

/// What the reverse of a branch op yields.
struct BranchResults {
  /// Values from outside that a branch uses.
  llvm::SetVector<Value> captured;
  /// Parameters whose adjoint a branch changes.
  llvm::SetVector<StringAttr> accessed;
  /// The types of their adjoints, in this order.
  SmallVector<Type> types;
};

} // namespace

/// Finds whose adjoints the reverse branches change.
static BranchResults collectResults(scf::IfOp op, ArrayRef<ReverseBranch> branches, const Adjoints &adjoints) {
  BranchResults results;
  for (const ReverseBranch &branch : branches) {
    for (auto [value, adjoint] : branch.adjoints.values)
      if (!isInside(value, op))
        results.captured.insert(value);
    for (auto [parameter, adjoint] : branch.adjoints.parameters)
      results.accessed.insert(parameter);
  }
  for (auto [parameter, adjoint] : adjoints.parameters)
    results.accessed.insert(parameter);
  results.accessed.remove_if([&](StringAttr parameter) {
    return llvm::all_of(branches, [&](const ReverseBranch &branch) {
      return branch.adjoints.get(parameter) == adjoints.get(parameter);
    });
  });
  for (Value value : results.captured)
    results.types.push_back(value.getType());
  for (StringAttr parameter : results.accessed) {
    Value adjoint = adjoints.get(parameter);
    for (const ReverseBranch &branch : branches)
      adjoint = adjoint ? adjoint : branch.adjoints.get(parameter);
    results.types.push_back(adjoint.getType());
  }
  return results;
}

/// Puts the code of `branch` into `region` and yields the adjoints of `results` from it, which it adds to those that
/// there are.
static void finishBranch(ReverseBranch &branch, Region &region, const BranchResults &results, const Adjoints &known,
                         Location loc) {
  Block *block = branch.block.release();
  region.getBlocks().clear();
  region.push_back(block);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  SmallVector<Value> yielded;
  for (Value value : results.captured) {
    Value before = known.get(value), adjoint = branch.adjoints.get(value);
    yielded.push_back(adjoint ? buildSum(builder, loc, before, adjoint) : before);
  }
  for (StringAttr parameter : results.accessed)
    yielded.push_back(branch.adjoints.get(parameter));
  for (auto [adjoint, type] : llvm::zip_equal(yielded, results.types))
    if (!adjoint)
      adjoint = buildSplat(builder, loc, type, 0.0);
  scf::YieldOp::create(builder, loc, yielded);
}

LogicalResult ReverseWalk::visitIf(scf::IfOp op, OpBuilder &builder, Adjoints &adjoints) {
  ReverseBranch branches[2];
  auto walk = [&](ArrayRef<Operation *> ops, OpBuilder &inner, Adjoints &found) { return run(ops, inner, found); };
  ++depth;
  for (unsigned i : {0u, 1u})
    if (failed(buildReverseBranch(op, op->getRegion(i), adjoints, branches[i], walk)))
      return failure();
  --depth;
  for (Value result : op.getResults())
    adjoints.values.erase(result);
  BranchResults results = collectResults(op, branches, adjoints);
  if (results.types.empty())
    return success();

  SavedValues saved = collectSavedValues(op, branches);
  activity.forget(op.getResults()); // saveValues may replace it.
  scf::IfOp forward = saveValues(op, saved);
  Location loc = forward.getLoc();
  auto reverse = scf::IfOp::create(builder, loc, results.types, forward.getCondition(), /*addElseBlock=*/false);
  for (unsigned i : {0u, 1u}) {
    useSavedValues(forward, saved, i, branches[i]);
    finishBranch(branches[i], reverse->getRegion(i), results, adjoints, loc);
  }
  for (auto [value, result] : llvm::zip(results.captured, reverse.getResults()))
    adjoints.values[value] = result;
  for (auto [parameter, result] : llvm::zip(results.accessed, reverse.getResults().drop_front(results.captured.size())))
    adjoints.parameters[parameter] = result;
  return success();
}
