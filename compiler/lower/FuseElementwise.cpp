// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses operations that work element by element into their users.
//
// MLIR's `fuseElementwiseOps` does the surgery; the choice is here. A producer goes into a consumer
//
// * when nobody else uses it and the consumer reads each element once, or recomputing it per read is cheap;
// * when others use it too, but the consumer iterates over the same space and comes first: then the fused operation
//   yields the producer's result as well (`%v, %w = …`, a momentum update in one pass over memory);
// * when others use it too, all of them can take it in, and it is cheap: then each gets a copy and the value vanishes;
// * when others use it too and the consumer reads all of its large inputs anyway: the copy saves a stream, so a ReLU's
//   mask is computed from the normalised tensor instead of read from the ReLU's result.
//
// A small tensor's values are not recomputed for every element of a large one.
//
// Rows that a reshape made of a matrix's are walked as the matrix is: the reshape moves behind the operations that read it,
// so that what stands on either side of it can be fused.
//
// Contractions take nothing in: they read elements many times, and code generation wants their bodies bare. Writes of
// variables first move down as far as they may, so that they stand behind what could be fused; what computes the written
// values follows them last, behind all readers of the old ones.
// Test: test/compiler/lower/fuse_elementwise.mlir

#include "compiler/lower/Passes.h"
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

/// More streams than this in one operation cost more than they save; small tensors stay in registers or in cache.
static constexpr unsigned maxStreams = 10;
static constexpr unsigned maxOperands = 28;

/// A body this long keeps its values busy for longer than memory takes, and each fusion writes the whole body again.
static constexpr int64_t maxBodyOps = 256;

/// More operations than this are not computed twice, or not again beside their result.
static constexpr int64_t maxCheapOps = 4, maxCopiedOps = 8;

/// A consumer this much larger than its producer reads a result rather than computing it again.
static constexpr int64_t muchLarger = 8;

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static bool isParallel(GenericOp op) { return op.getNumParallelLoops() == op.getNumLoops(); }

/// Whether the consumer reads each element of the operand exactly once.
static bool readsOnce(GenericOp consumer, OpOperand *operand) {
  return consumer.getMatchingIndexingMap(operand).isPermutation();
}

static int64_t countOps(GenericOp op) {
  return llvm::count_if(op.getBody()->without_terminator(), [](Operation &inner) { return !isa<arith::ConstantOp>(inner); });
}

/// A few operations of ordinary arithmetic, no division, nothing from `math`.
static bool isCheap(GenericOp producer, int64_t most = maxCheapOps) {
  return countOps(producer) <= most && llvm::all_of(producer.getBody()->without_terminator(), [](Operation &op) {
           StringRef name = op.getName().getStringRef();
           return name.starts_with("arith.") && !name.contains("div") && !name.contains("rem");
         });
}

/// Whether the operand has an element of its own for each iteration.
static bool isLarge(GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return llvm::count_if(map.getResults(), llvm::IsaPred<AffineDimExpr>) == op.getNumLoops();
}

static unsigned countStreams(GenericOp op) {
  return llvm::count_if(op->getOpOperands(), [&](OpOperand &operand) { return isLarge(op, operand); });
}

/// Inputs as large as the result.
static unsigned countLargeInputs(GenericOp producer) {
  return llvm::count_if(producer.getDpsInputOperands(), [&](OpOperand *input) { return isLarge(producer, *input); });
}

static int64_t countIterations(GenericOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges())
    count *= range;
  return count;
}

/// Whether the consumer may compute an element again for each time it reads it.
static bool mayRepeat(GenericOp producer, GenericOp consumer) {
  bool small = producer.getNumLoops() > 0 && countOps(producer) > 0 &&
               countIterations(consumer) >= muchLarger * countIterations(producer);
  return isParallel(consumer) && isCheap(producer) && !small;
}

/// Whether `operand` may go into its user at all.
static bool isFusable(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<GenericOp>();
  auto consumer = dyn_cast<GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getBlock() != consumer->getBlock() || !consumer.isDpsInput(operand) ||
      producer->getNumOperands() + consumer->getNumOperands() > maxOperands ||
      countStreams(producer) + countStreams(consumer) > maxStreams ||
      countOps(producer) + countOps(consumer) > maxBodyOps || !linalg::areElementwiseOpsFusable(operand))
    return false;
  return readsOnce(consumer, operand) || mayRepeat(producer, consumer);
}

/// Passes over memory that read the producer's result: reductions over it will be one.
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

/// Whether every use of the producer is fusable, so that copies of it make it vanish, and the copies do not read more than
/// writing and reading the result would cost.
static bool canVanish(GenericOp producer) {
  unsigned inputs = countLargeInputs(producer);
  return isCheap(producer) && (inputs <= 1 || (inputs == 2 && countReaders(producer) <= 2)) &&
         llvm::all_of(producer->getUses(), [](OpOperand &use) { return isFusable(&use); });
}

/// Whether the consumer reads all large inputs of the producer as the producer does, so that computing the producer's
/// result again costs it no stream.
static bool readsInputsOf(GenericOp producer, GenericOp consumer, OpOperand *operand) {
  if (!consumer.getMatchingIndexingMap(operand).isIdentity() || !isCheap(producer, maxCopiedOps) ||
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
// The surgery
//===----------------------------------------------------------------------===//

/// Fuses the producer of `operand` into its user, which is gone then, and returns the new operation; null if MLIR refuses.
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

/// Fuses what stands in one block.
class BlockFusion {
public:
  BlockFusion(RewriterBase &rewriter, Block &block) : rewriter(rewriter), block(block) {
    for (Operation &op : block)
      positions[&op] = positions.size();
  }

  /// Fuses until nothing more can be: a fusion may leave an earlier operation as a producer's only user. Every fusion
  /// removes a use of a producer, so this ends, and after few rounds.
  void run() {
    while (!block.empty() && fuseAlong())
      ;
  }

private:
  /// Takes into each operation of the block what it can take. Returns whether anything was fused.
  bool fuseAlong() {
    bool changed = false;
    for (Operation *op = &block.front(); op;) {
      auto consumer = dyn_cast<GenericOp>(op);
      Operation *fused = consumer ? fuseOne(consumer) : nullptr;
      changed |= fused != nullptr;
      op = fused ? fused : op->getNextNode();
    }
    return changed;
  }

  /// Fuses one producer into `consumer`, which is gone then, and returns the new operation; null if there is none to fuse.
  Operation *fuseOne(GenericOp consumer) {
    for (OpOperand &operand : consumer->getOpOperands()) {
      if (!isFusable(&operand))
        continue;
      auto producer = operand.get().getDefiningOp<GenericOp>();
      bool onlyUser = llvm::all_of(producer->getUsers(), [&](Operation *user) { return user == consumer; });
      bool vanish = !onlyUser && canVanish(producer);
      bool preserve = !onlyUser && !vanish && canPreserve(producer, consumer, &operand);
      bool copy = vanish || (!preserve && readsInputsOf(producer, consumer, &operand));
      if (!onlyUser && !preserve && !copy)
        continue;
      unsigned position = positions.lookup(consumer);
      if (Operation *fused = fuse(rewriter, &operand, preserve)) {
        positions[fused] = position;
        return fused;
      }
    }
    return nullptr;
  }

  /// Whether the consumer can yield the producer's results to all its other users: it comes before them and walks the
  /// same space.
  bool canPreserve(GenericOp producer, GenericOp consumer, OpOperand *operand) {
    if (!isParallel(consumer) || !readsOnce(consumer, operand))
      return false;
    return llvm::all_of(producer->getUsers(), [&](Operation *user) {
      return user == consumer || positions.lookup(consumer) < positions.lookup(block.findAncestorOpInBlock(*user));
    });
  }

  RewriterBase &rewriter;
  Block &block;
  /// The order of operations. A fused one takes its consumer's place; MLIR's own order is made anew for the whole block
  /// when it is asked for after a few insertions.
  DenseMap<Operation *, unsigned> positions;
};

} // namespace

/// Whether `operand` is a matrix seen as rows of rows. More axes are images, whose layout is chosen later.
static bool isReshapedMatrix(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  return reshape && isa<GenericOp>(operand->getOwner()) && reshape.getResultType().getRank() == 3 &&
         reshape.getSrcType().getRank() == 2 && !llvm::is_contained(reshape.getResultType().getShape(), 1);
}

/// The variables that `op` or what it holds reads or writes.
static llvm::SmallSetVector<Attribute, 1> getVariables(Operation *op) {
  llvm::SmallSetVector<Attribute, 1> variables;
  op->walk([&](Operation *nested) {
    if (auto name = nested->getAttrOfType<FlatSymbolRefAttr>("variable"))
      variables.insert(name);
  });
  return variables;
}

/// Moves writes behind everything in their block that does not touch their variable.
static void delayWrites(Block &block) {
  if (block.getOps<device::WriteOp>().empty())
    return;
  // One sweep from the end: what touches a variable next.
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

/// Moves operations that only compute new values of variables down to the writes, behind all readers of the old values,
/// so that they can work in the variables' memory.
static void delayUpdates(Block &block) {
  // Writes stay where they are; asking MLIR for the order after each move would number the whole block again.
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
  void runOnOperation() override {
    RewritePatternSet constants(&getContext()), reshapes(&getContext()), unused(&getContext());
    // Of MLIR's patterns only those that fold scalars, splats and fills into bodies.
    linalg::populateElementwiseOpsFusionPatterns(constants, [](OpOperand *) { return false; });
    linalg::populateFoldReshapeOpsByCollapsingPatterns(reshapes, isReshapedMatrix);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    FrozenRewritePatternSet foldConstants(std::move(constants)), eraseUnused(std::move(unused));
    FrozenRewritePatternSet moveReshapes(std::move(reshapes));
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](device::LoopOp loop) {
      (void)applyPatternsGreedily(loop, foldConstants);
      loop.walk([](Block *block) { delayWrites(*block); });
      loop.walk([&](Block *block) { BlockFusion(rewriter, *block).run(); });
      // Only what has not found its place by now: a reshape that moved keeps other users from taking a producer in.
      (void)applyPatternsGreedily(loop, moveReshapes);
      loop.walk([&](Block *block) { BlockFusion(rewriter, *block).run(); });
      (void)applyPatternsGreedily(loop, eraseUnused);
      loop.walk([](Block *block) { delayUpdates(*block); });
    });
  }
};

} // namespace
