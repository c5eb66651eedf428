// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses elementwise operations into their users.
//
// MLIR's `fuseElementwiseOps` rewrites; this pass decides. A producer is fused into a consumer
//
// * if it has no other user, and the consumer reads each element once or recomputing an element is cheap;
// * if the consumer is its first user and has the same iteration space: the fused operation then has the producer's
//   result as a second result (`%v, %w = …`, a momentum update in one pass over memory);
// * if it is cheap and can be fused into all its users: each recomputes the value, which is not stored any more;
// * if the consumer reads all of its large inputs anyway: recomputing saves one stream, so that the mask of a ReLU is
//   computed from the normalised tensor instead of read from the ReLU's result.
//
// Values of a small tensor are not recomputed for every element of a large one.
//
// A reshape that splits the rows of a matrix is moved after the operations that read it, so that they can be fused with
// the operations before it.
//
// Nothing is fused into contractions: they read elements many times, and codegen's emitters expect plain bodies. Writes
// of variables are first moved down as far as possible, after all operations that could be fused; operations that
// compute written values are moved to the writes at the end, after all readers of the old values. Test:
// test/compiler/lower/fuse_elementwise.mlir

#include "compiler/lower/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "compiler/target/FindTarget.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;

/// Longer bodies are limited by arithmetic rather than memory, and each fusion copies the body.
static constexpr int64_t kMaxBodyOps = 256;

/// How many operations may be computed in several users, and in a user that reads their inputs anyway.
static constexpr int64_t kMaxCheapOps = 4, kMaxCopiedOps = 8;

/// Consumers with so many times the iterations of their producer read its result instead of recomputing it.
static constexpr int64_t kMinSizeRatio = 8;

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

static bool isParallel(GenericOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// Whether the consumer reads each element of the operand exactly once.
static bool readsOnce(GenericOp consumer, OpOperand *operand) {
  return consumer.getMatchingIndexingMap(operand).isPermutation();
}

static int64_t countOps(GenericOp op) {
  return llvm::count_if(op.getBody()->without_terminator(),
                        [](Operation &inner) { return !isa<arith::ConstantOp>(inner); });
}

/// Whether the body has few operations, all of `arith`, and no division.
static bool isCheap(GenericOp producer, int64_t maxOps = kMaxCheapOps) {
  return countOps(producer) <= maxOps && llvm::all_of(producer.getBody()->without_terminator(), [](Operation &op) {
           StringRef name = op.getName().getStringRef();
           return name.starts_with("arith.") && !name.contains("div") && !name.contains("rem");
         });
}

/// Whether each iteration accesses an element of its own of the operand.
static bool isLarge(GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return llvm::count_if(map.getResults(), llvm::IsaPred<AffineDimExpr>) == op.getNumLoops();
}

static unsigned countStreams(GenericOp op) {
  return llvm::count_if(op->getOpOperands(), [&](OpOperand &operand) { return isLarge(op, operand); });
}

/// The number of inputs that are as large as the result.
static unsigned countLargeInputs(GenericOp producer) {
  return llvm::count_if(producer.getDpsInputOperands(), [&](OpOperand *input) { return isLarge(producer, *input); });
}

static int64_t countIterations(GenericOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges())
    count *= range;
  return count;
}

/// Whether the consumer may recompute an element each time that it reads it.
static bool canRecompute(GenericOp producer, GenericOp consumer) {
  bool small = producer.getNumLoops() > 0 && countOps(producer) > 0 &&
               countIterations(consumer) >= kMinSizeRatio * countIterations(producer);
  return isParallel(consumer) && isCheap(producer) && !small;
}

/// Whether one pass over memory for both operations is not slower than two. Operands that are no streams stay in
/// registers or caches.
static bool canBeOnePass(GenericOp producer, GenericOp consumer, const MachineModel &machine) {
  return producer->getNumOperands() + consumer->getNumOperands() <= machine.maxPassOperands &&
         countStreams(producer) + countStreams(consumer) <= machine.maxPassStreams;
}

/// Whether the producer of `operand` can be fused into its user.
static bool isFusable(OpOperand *operand, const MachineModel &machine) {
  auto producer = operand->get().getDefiningOp<GenericOp>();
  auto consumer = dyn_cast<GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock() || !consumer.isDpsInput(operand) ||
      !canBeOnePass(producer, consumer, machine) || countOps(producer) + countOps(consumer) > kMaxBodyOps ||
      !linalg::areElementwiseOpsFusable(operand))
    return false;
  return readsOnce(consumer, operand) || canRecompute(producer, consumer);
}

/// The number of passes over memory that read the producer's result; FuseReductions will fuse its reductions into one.
static unsigned countReaders(GenericOp producer) {
  unsigned others = 0;
  bool reduces = false;
  for (Operation *user : llvm::SmallSetVector<Operation *, 4>(producer->user_begin(), producer->user_end()))
    if (auto generic = dyn_cast<GenericOp>(user); generic && !isParallel(generic))
      reduces = true;
    else
      ++others;
  return others + reduces;
}

/// Whether the producer can be fused into all its users, and its copies read no more memory than storing and loading
/// its result would take.
static bool canFuseIntoAllUsers(GenericOp producer, const MachineModel &machine) {
  unsigned inputs = countLargeInputs(producer);
  return isCheap(producer) && (inputs <= 1 || (inputs == 2 && countReaders(producer) <= 2)) &&
         llvm::all_of(producer->getUses(), [&](OpOperand &use) { return isFusable(&use, machine); });
}

/// Whether the consumer reads all large inputs of the producer in the same order as the producer does, so that
/// recomputing the producer's result adds no stream.
static bool readsInputsOf(GenericOp producer, GenericOp consumer, OpOperand *operand) {
  if (!consumer.getMatchingIndexingMap(operand).isIdentity() || !isCheap(producer, kMaxCopiedOps) ||
      producer->getNumResults() != 1 || !producer.getIndexingMapMatchingResult(producer->getResult(0)).isIdentity() ||
      countLargeInputs(producer) == 0)
    return false;
  return llvm::all_of(producer.getDpsInputOperands(), [&](OpOperand *input) {
    return !isLarge(producer, *input) || llvm::any_of(consumer.getDpsInputOperands(), [&](OpOperand *other) {
      return other->get() == input->get() &&
             consumer.getMatchingIndexingMap(other) == producer.getMatchingIndexingMap(input);
    });
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Fuses the producer of `operand` into its user and erases the user. Returns the new operation; null if MLIR refuses.
static Operation *fuse(RewriterBase &rewriter, OpOperand *operand, bool preserve) {
  auto producer = operand->get().getDefiningOp<GenericOp>();
  Operation *consumer = operand->getOwner();
  rewriter.setInsertionPoint(consumer);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, operand);
  if (failed(fused))
    return nullptr;
  for (Value result : consumer->getResults())
    rewriter.replaceAllUsesWith(result, fused->replacements.lookup(result));
  rewriter.eraseOp(consumer);
  for (Value result : producer->getResults())
    if (Value kept = preserve ? fused->replacements.lookup(result) : Value())
      rewriter.replaceAllUsesExcept(result, kept, fused->fusedOp);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return fused->fusedOp;
}

namespace {

/// Fuses the operations of one block.
class BlockFusion {
public:
  BlockFusion(RewriterBase &rewriter, Block &block, const MachineModel &machine)
      : rewriter(rewriter), block(block), machine(machine) {
    for (Operation &op : block)
      positions[&op] = positions.size();
  }

  /// Fuses until a fixed point is reached: a fusion may leave an earlier operation as a producer's only user. Every
  /// fusion removes a use of a producer, so that the number of passes is finite, and small in practice.
  void run() {
    while (!block.empty() && fuseOnce())
      ;
  }

private:
  /// Visits each operation once and fuses its producers. Returns whether anything was fused.
  bool fuseOnce() {
    bool changed = false;
    for (Operation *op = &block.front(); op;) {
      auto consumer = dyn_cast<GenericOp>(op);
      Operation *fused = consumer ? fuseOne(consumer) : nullptr;
      changed |= fused != nullptr;
      op = fused ? fused : op->getNextNode();
    }
    return changed;
  }

  /// Fuses one producer into `consumer` and erases it. Returns the new operation; null if no producer can be fused.
  Operation *fuseOne(GenericOp consumer) {
    for (OpOperand &operand : consumer->getOpOperands()) {
      if (!isFusable(&operand, machine))
        continue;
      auto producer = operand.get().getDefiningOp<GenericOp>();
      bool onlyUser = llvm::all_of(producer->getUsers(), [&](Operation *user) { return user == consumer; });
      bool intoAllUsers = !onlyUser && isForAllUsers(producer);
      bool preserve = !onlyUser && !intoAllUsers && canPreserve(producer, consumer, &operand);
      bool copy = intoAllUsers || (!preserve && readsInputsOf(producer, consumer, &operand));
      if (!onlyUser && !preserve && !copy)
        continue;
      if (onlyUser || preserve)
        forAllUsers.erase(producer);
      if (Operation *fused = fuseInto(consumer, &operand, preserve))
        return fused;
    }
    return nullptr;
  }

  /// Fuses the producer of `operand` into `consumer`; the new operation takes its place.
  Operation *fuseInto(GenericOp consumer, OpOperand *operand, bool preserve) {
    unsigned position = positions.lookup(consumer);
    forAllUsers.erase(consumer);
    Operation *fused = fuse(rewriter, operand, preserve);
    if (fused)
      positions[fused] = position;
    return fused;
  }

  /// Whether `producer` is fused into all its users. Each of them holds to what the first one found: asking all others
  /// again would take the square of their number.
  bool isForAllUsers(GenericOp producer) {
    if (!forAllUsers.contains(producer) && canFuseIntoAllUsers(producer, machine))
      forAllUsers.insert(producer);
    return forAllUsers.contains(producer);
  }

  /// Whether the fused operation can provide the producer's results to all other users: it has the same iteration space
  /// and comes before them.
  bool canPreserve(GenericOp producer, GenericOp consumer, OpOperand *operand) {
    if (!isParallel(consumer) || !readsOnce(consumer, operand))
      return false;
    return llvm::all_of(producer->getUsers(), [&](Operation *user) {
      return user == consumer || positions.lookup(consumer) < positions.lookup(block.findAncestorOpInBlock(*user));
    });
  }

  RewriterBase &rewriter;
  Block &block;
  const MachineModel &machine;
  /// The order of operations, in which a fused operation has its consumer's number. MLIR's own order would renumber the
  /// block after insertions.
  DenseMap<Operation *, unsigned> positions;
  /// The producers that are fused into all their users. What is erased leaves the set before: its address comes again.
  llvm::SmallPtrSet<Operation *, 8> forAllUsers;
};

} // namespace

/// Whether `operand` is a reshaped matrix of three axes. Tensors with more axes are images, whose layout is chosen
/// later.
static bool isReshapedMatrix(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  return reshape && isa<GenericOp>(operand->getOwner()) && reshape.getResultType().getRank() == 3 &&
         reshape.getSrcType().getRank() == 2 && !llvm::is_contained(reshape.getResultType().getShape(), 1);
}

/// The variables that `op` or an operation inside it accesses.
static llvm::SmallSetVector<Attribute, 1> getVariables(Operation *op) {
  llvm::SmallSetVector<Attribute, 1> variables;
  op->walk([&](Operation *nested) {
    if (auto name = nested->getAttrOfType<FlatSymbolRefAttr>("variable"))
      variables.insert(name);
  });
  return variables;
}

/// Moves writes of variables down to the next operation of their block that accesses the variable.
static void delayWrites(Block &block) {
  if (block.getOps<device::WriteOp>().empty())
    return;
  // By variable: the next operation that accesses it, in one walk from the end.
  llvm::DenseMap<Attribute, Operation *> next;
  SmallVector<std::pair<Operation *, Operation *>> moves;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (auto write = dyn_cast<device::WriteOp>(op)) {
      Operation *&following = next[write.getVariableAttr()];
      moves.emplace_back(write, following ? following : block.getTerminator());
      following = write;
      continue;
    }
    for (Attribute variable : getVariables(&op))
      next[variable] = &op;
  }
  for (auto [write, following] : llvm::reverse(moves))
    write->moveBefore(following);
}

/// Moves operations that only compute new values of variables down to the writes, after all readers of the old values,
/// so that they can compute in the variables' memory.
static void delayUpdates(Block &block) {
  // Own numbers of the writes, which do not move: MLIR's order would renumber the block after each move.
  DenseMap<Operation *, unsigned> positions;
  for (auto write : block.getOps<device::WriteOp>())
    positions[write] = positions.size();
  for (GenericOp update : llvm::to_vector(llvm::reverse(llvm::to_vector(block.getOps<GenericOp>())))) {
    Operation *first = nullptr;
    for (Operation *user : update->getUsers()) {
      if (!isa<device::WriteOp>(user) || user->getBlock() != update->getBlock()) {
        first = nullptr;
        break;
      }
      first = !first || positions.lookup(user) < positions.lookup(first) ? user : first;
    }
    if (first)
      update->moveBefore(first);
  }
}

namespace {

struct FuseElementwisePass : public plumb::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using FuseElementwisePassBase::FuseElementwisePassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    RewritePatternSet constants(&getContext()), reshapes(&getContext()), unused(&getContext());
    // Without fusion, these patterns fold scalars, splats and fills into bodies.
    linalg::populateElementwiseOpsFusionPatterns(constants, [](OpOperand *) { return false; });
    linalg::populateFoldReshapeOpsByCollapsingPatterns(reshapes, isReshapedMatrix);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    FrozenRewritePatternSet foldConstants(std::move(constants)), eraseUnused(std::move(unused));
    FrozenRewritePatternSet moveReshapes(std::move(reshapes));
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](device::LoopOp loop) {
      (void)applyPatternsGreedily(loop, foldConstants, getStructuredConfig());
      loop.walk([](Block *block) { delayWrites(*block); });
      loop.walk([&](Block *block) { BlockFusion(rewriter, *block, target->machine).run(); });
      // After the first fusion, since a moved reshape prevents that its producer is fused into other users.
      (void)applyPatternsGreedily(loop, moveReshapes, getStructuredConfig());
      loop.walk([&](Block *block) { BlockFusion(rewriter, *block, target->machine).run(); });
      (void)applyPatternsGreedily(loop, eraseUnused, getStructuredConfig());
      loop.walk([](Block *block) { delayUpdates(*block); });
    });
  }
};

} // namespace
