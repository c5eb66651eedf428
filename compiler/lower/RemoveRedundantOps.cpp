// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common subexpression elimination for operations with bodies.
//
//   %a = linalg.generic ins(%x) outs(%e) { addf 1.0 }        %a = linalg.generic ins(%x) outs(%e) { addf 1.0 }
//   %b = linalg.generic ins(%x) outs(%e) { addf 2.0 }   =>   %b = linalg.generic ins(%x) outs(%e) { addf 2.0 }
//   %c = linalg.generic ins(%x) outs(%e) { addf 1.0 }        (%a in place of %c)
//
// It merges what MLIR's CSE merges. That pass hashes an operation without its regions, so the operations above are all
// in one bucket, each compared with each: an unrolled loop of thousands of iterations took minutes. Here the hash
// includes the bodies. Test: test/compiler/lower/remove_redundant_ops.mlir; depth_test measures time.

#include "compiler/lower/Passes.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEREDUNDANTOPSPASS
#include "compiler/lower/Passes.h.inc"

namespace {

using namespace mlir;

/// An operation with the hash of all that it is.
struct HashedOp {
  Operation *op;
  unsigned hash;
};

/// Keys of the table: equal operations are one.
struct HashedOpInfo {
  static HashedOp getEmptyKey() { return {llvm::DenseMapInfo<Operation *>::getEmptyKey(), 0}; }
  static HashedOp getTombstoneKey() { return {llvm::DenseMapInfo<Operation *>::getTombstoneKey(), 0}; }
  static unsigned getHashValue(HashedOp hashed) { return hashed.hash; }
  static bool isMark(Operation *op) { return op == getEmptyKey().op || op == getTombstoneKey().op; }
  static bool isEqual(HashedOp a, HashedOp b) {
    if (a.op == b.op || a.hash != b.hash || isMark(a.op) || isMark(b.op))
      return a.op == b.op;
    return OperationEquivalence::isEquivalentTo(a.op, b.op, OperationEquivalence::IgnoreLocations);
  }
};

unsigned combine(unsigned hash, size_t other) { return static_cast<unsigned>(size_t(llvm::hash_combine(hash, other))); }

/// What is known of operations with regions, from the innermost one outwards: so what stands in each other a thousand
/// deep is looked at once.
class Bodies {
public:
  /// Enters an operation whose regions have been entered.
  void enter(Operation *op);
  void forget(Operation *op) { known.erase(op); }

  bool isEffectFree(Operation *op) const;
  /// The hash of an operation and its regions. A value that is defined inside counts by its number in the order, but
  /// for what regions of regions use.
  unsigned computeHash(Operation *op) const;

private:
  struct Body {
    unsigned shape;    ///< The hash of the operation, whatever values it and its regions use.
    bool isEffectFree; ///< It and all inside.
  };

  unsigned computeShape(Operation *op) const;
  bool findEffectFree(Operation *op) const;

  llvm::DenseMap<Operation *, Body> known;
};

void Bodies::enter(Operation *op) { known[op] = Body{computeShape(op), findEffectFree(op)}; }

bool Bodies::isEffectFree(Operation *op) const {
  return op->getNumRegions() == 0 ? isMemoryEffectFree(op) : known.lookup(op).isEffectFree;
}

/// As MLIR's isMemoryEffectFree says.
bool Bodies::findEffectFree(Operation *op) const {
  bool isRecursive = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects ? !effects.hasNoEffect() : !isRecursive)
    return false;
  return !isRecursive || llvm::all_of(op->getRegions(), [&](Region &region) {
    return llvm::all_of(region.getOps(), [&](Operation &inner) { return isEffectFree(&inner); });
  });
}

unsigned Bodies::computeShape(Operation *op) const {
  auto ignore = [](Operation *any) {
    return unsigned(OperationEquivalence::computeHash(any, OperationEquivalence::ignoreHashValue,
                                                      OperationEquivalence::ignoreHashValue,
                                                      OperationEquivalence::IgnoreLocations));
  };
  unsigned hash = ignore(op);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      hash = combine(hash, inner.getNumRegions() == 0 ? ignore(&inner) : known.lookup(&inner).shape);
  return hash;
}

unsigned Bodies::computeHash(Operation *op) const {
  llvm::SmallDenseMap<Value, size_t, 8> numbers;
  auto hashOperand = [&](Value value) {
    auto found = numbers.find(value);
    return found == numbers.end() ? hash_value(value) : llvm::hash_value(found->second);
  };
  auto enumerate = [&](ValueRange values) {
    for (Value value : values)
      numbers.try_emplace(value, numbers.size());
  };
  unsigned hash = 0;
  auto visit = [&](Operation *visited) {
    hash = combine(hash, OperationEquivalence::computeHash(visited, hashOperand, OperationEquivalence::ignoreHashValue,
                                                           OperationEquivalence::IgnoreLocations));
    enumerate(visited->getResults());
  };
  visit(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      enumerate(block.getArguments());
      for (Operation &inner : block) {
        visit(&inner);
        if (inner.getNumRegions() != 0)
          hash = combine(hash, known.lookup(&inner).shape);
      }
    }
  return hash;
}

/// Merges equal operations.
class Merger {
public:
  /// Merges what is inside `op`.
  void run(Operation *op);

private:
  using Table = llvm::ScopedHashTable<HashedOp, Operation *, HashedOpInfo>;

  void run(Block &block);
  void simplify(Operation *op);
  bool canMerge(Operation *known, Operation *op) const;

  Bodies bodies;
  /// Operations that dominate the current one, by hash.
  Table *table = nullptr;
  /// How many operations so far may have written to memory, and how many had when a reading operation was met.
  unsigned writes = 0;
  llvm::DenseMap<Operation *, unsigned> writesBefore;
};

bool onlyReads(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.onlyHasEffect<MemoryEffects::Read>();
}

bool mayWrite(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return !effects || effects.hasEffect<MemoryEffects::Write>();
}

/// Whether `op` yields what the equal `known` does: nothing was written in between if they read memory.
bool Merger::canMerge(Operation *known, Operation *op) const {
  return bodies.isEffectFree(op) || (known->getBlock() == op->getBlock() && writesBefore.lookup(known) == writes);
}

void Merger::simplify(Operation *op) {
  if (isOpTriviallyDead(op)) {
    bodies.forget(op);
    return op->erase();
  }
  bool isSimple = llvm::all_of(op->getRegions(), [](Region &region) { return region.empty() || region.hasOneBlock(); });
  if (op->hasTrait<OpTrait::IsTerminator>() || !isSimple || !(bodies.isEffectFree(op) || onlyReads(op)))
    return;
  HashedOp key{op, bodies.computeHash(op)};
  Operation *known = table->lookup(key);
  if (!known || !canMerge(known, op)) {
    writesBefore[op] = writes;
    return table->insert(key, op);
  }
  if (isa<UnknownLoc>(known->getLoc()))
    known->setLoc(op->getLoc());
  op->replaceAllUsesWith(known);
  bodies.forget(op);
  op->erase();
}

void Merger::run(Block &block) {
  Table::ScopeTy scope(*table);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumRegions()) {
      run(&op);
      bodies.enter(&op);
    }
    writes += mayWrite(&op);
    simplify(&op);
  }
}

void Merger::run(Operation *op) {
  // Operations that are isolated from above capture nothing.
  Table own;
  Table *outer = table;
  if (op->mightHaveTrait<OpTrait::IsIsolatedFromAbove>())
    table = &own;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      run(block);
  table = outer;
}

struct RemoveRedundantOps : impl::RemoveRedundantOpsPassBase<RemoveRedundantOps> {
  void runOnOperation() override { Merger().run(getOperation()); }
};

} // namespace
} // namespace plumb
