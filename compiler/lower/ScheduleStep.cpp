// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders a step so that operations which codegen can fuse into one kernel are neighbours.
//
// * A fill that initializes the result of an operation or of a loop is right before it, and has no other user; likewise
//   for a splat that is written to a variable.
// * Elementwise operations on the result of a contraction, pooling, and sums of its rows follow the contraction, as its
//   epilogue. The fills of such sums are before the contraction.
// * Reads of variables and scalar computations are as early as possible.
// * The update of a variable follows the last reader of its old value, and a contraction whose only user is the update
//   is right before it, so that the update is the epilogue of the gradient.
// * A part that is inserted into a tensor is inserted behind the last reader of the tensor as it was, so that it is
//   written in place and nothing is copied.
//
//   %z = linalg.fill …                               %n = linalg.generic ins(%w, %d) outs(…)   // reads the old %w
//   %g = linalg.generic ins(%x, %d) outs(%z)         %z = linalg.fill …
//   %n = linalg.generic ins(%w, %d) outs(…)    =>    %g = linalg.generic ins(%x, %d) outs(%z)
//   …                                                %u = linalg.generic ins(%w, %g) outs(…)
//   %u = linalg.generic ins(%w, %g) outs(…)          …
//   device.write @w, %u                              device.write @w, %u
//
// Test: test/compiler/lower/schedule_step.mlir

#include "compiler/lower/MovableOrder.h"
#include "compiler/lower/Passes.h"
#include "compiler/support/ReductionBodies.h"
#include "compiler/support/UsedValues.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {
#define GEN_PASS_DEF_SCHEDULESTEPPASS
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;
using linalg::GenericOp;
using linalg::LinalgOp;

namespace {

/// Schedules one loop's step.
class Scheduler {
public:
  explicit Scheduler(Block &step) : step(step), order(step) {}

  void run();

private:
  void moveAfter(Operation *op, Operation *previous);
  void moveSums(Operation *op, Operation *contraction, Operation *previous);
  void hoistScalars();
  void moveEpilogues();
  void moveUpdate(GenericOp update);
  Operation *findLastDefinition(Operation *op) const;
  bool canInitializeBefore(Operation *op, Operation *contraction) const;

  Block &step;
  MovableOrder order;
  /// By variable: its reads.
  DenseMap<StringAttr, SmallVector<device::ReadOp>> reads;
};

} // namespace

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Whether `op` is a reshape, which becomes a view.
static bool isView(Operation *op) { return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); }

/// The fills that initialize destinations of `op` and have no other user.
static SmallVector<Operation *> getInitFills(Operation *op) {
  SmallVector<Operation *> fills;
  if (auto linalgOp = dyn_cast<LinalgOp>(op))
    for (Value init : linalgOp.getDpsInits())
      if (auto fill = init.getDefiningOp<linalg::FillOp>();
          fill && fill->hasOneUse() && fill->getBlock() == op->getBlock())
        fills.push_back(fill);
  return fills;
}

/// Whether `op` is a sum of products, also of functions of its inputs, such as converted ones.
static bool isSumOfProducts(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getNumReductionLoops() != 0 && generic.getNumDpsInits() == 1 &&
         isa_and_nonnull<arith::AddFOp>(findMultiplyAdd(generic));
}

/// Whether some axis of an input is indexed by several loops.
static bool hasPoolingWindow(GenericOp generic) {
  return llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    return !generic.getMatchingIndexingMap(input).isProjectedPermutation();
  });
}

/// Whether `op` is elementwise, or pools. Transposes do not count: they cannot be epilogues.
static bool isElementwiseOrPooling(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() || isSumOfProducts(op) ||
      isa<linalg::YieldOp>(generic.getBody()->front()))
    return false;
  return generic.getNumReductionLoops() == 0 || hasPoolingWindow(generic);
}

/// Whether `op` sums each row of a tensor along its middle axes, so that lanes of vectors are not added to each other.
static bool sumsRows(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() || generic.getNumReductionLoops() == 0)
    return false;
  SmallVector<utils::IteratorType> kinds = generic.getIteratorTypesArray();
  return llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = generic.getMatchingIndexingMap(input);
    return map.isPermutation() && kinds[map.getDimPosition(0)] == utils::IteratorType::parallel &&
           kinds[map.getDimPosition(map.getNumResults() - 1)] == utils::IteratorType::parallel;
  });
}

/// Whether `op` is elementwise and its results are only written to variables.
static bool isUpdate(Operation *op) {
  return isa<GenericOp>(op) && isElementwiseOrPooling(op) && !op->use_empty() &&
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           return isa<device::WriteOp>(user) && user->getBlock() == op->getBlock();
         });
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Whether the use initializes a result of an operation, or a tensor that a loop changes.
static bool isInit(OpOperand &use) {
  if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
    return loop.getTiedLoopRegionIterArg(&use) != nullptr;
  auto user = dyn_cast<LinalgOp>(use.getOwner());
  return user && user.isDpsInit(&use);
}

/// Duplicates fills so that each has one user, and moves it right before its user.
static void duplicateFills(Block &block) {
  for (auto fill : llvm::to_vector(block.getOps<linalg::FillOp>())) {
    if (!fill.hasPureTensorSemantics())
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      if (!isInit(use))
        continue;
      OpBuilder builder(use.getOwner());
      Operation *own = builder.clone(*fill);
      use.set(own->getResult(0));
    }
    if (fill->use_empty())
      fill->erase();
  }
}

/// Duplicates splats that are written to variables, such as sums that are reset, right before the write, so that they
/// are filled into the variable's memory.
static void duplicateSplats(Block &block) {
  for (device::WriteOp write : llvm::to_vector(block.getOps<device::WriteOp>())) {
    Operation *source = write.getValue().getDefiningOp();
    auto constant = dyn_cast_or_null<arith::ConstantOp>(source);
    auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
    auto fill = dyn_cast_or_null<linalg::FillOp>(source);
    if (!(elements && elements.isSplat()) && !(fill && fill.hasPureTensorSemantics()))
      continue;
    write.getValueMutable().assign(OpBuilder(write).clone(*source)->getResult(0));
    if (source->use_empty())
      source->erase();
  }
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Moves `op` with its fills right after `previous`.
void Scheduler::moveAfter(Operation *op, Operation *previous) {
  for (Operation *fill : getInitFills(op)) {
    order.moveAfter(fill, previous);
    previous = fill;
  }
  order.moveAfter(op, previous);
}

/// The first of a contraction and its fills.
static Operation *getFirst(Operation *contraction) {
  SmallVector<Operation *> fills = getInitFills(contraction);
  return fills.empty() ? contraction : fills.front();
}

/// Moves sums of a contraction's rows after `previous`, and their fills before the contraction.
void Scheduler::moveSums(Operation *op, Operation *contraction, Operation *previous) {
  for (Operation *fill : getInitFills(op))
    order.moveBefore(fill, getFirst(contraction));
  order.moveAfter(op, previous);
}

/// The last operation of `step` among those that define operands of `op` and its fills; null if there is none.
Operation *Scheduler::findLastDefinition(Operation *op) const {
  Operation *last = nullptr;
  SmallVector<Operation *> moved = getInitFills(op);
  moved.push_back(op);
  for (Operation *user : moved)
    for (Value value : getUsedValues(user)) {
      Operation *definition = value.getDefiningOp();
      if (!definition || definition->getBlock() != &step || llvm::is_contained(moved, definition))
        continue;
      if (!last || order.isBefore(last, definition))
        last = definition;
    }
  return last;
}

/// Whether the operands of the fills of `op` are defined before the contraction and its fills.
bool Scheduler::canInitializeBefore(Operation *op, Operation *contraction) const {
  return llvm::all_of(getInitFills(op), [&](Operation *fill) {
    Operation *last = findLastDefinition(fill);
    return !last || order.isBefore(last, getFirst(contraction));
  });
}

/// Moves reads of variables that are not preceded by a write to the beginning of the step.
static void hoistReads(Block &step) {
  for (auto empty : llvm::to_vector(step.getOps<tensor::EmptyOp>()))
    if (empty.getDynamicSizes().empty())
      empty->moveBefore(&step.front());
  llvm::SmallDenseSet<Attribute> written;
  for (Operation &op : llvm::make_early_inc_range(step)) {
    op.walk([&](device::WriteOp write) { written.insert(write.getVariableAttr()); });
    if (auto read = dyn_cast<device::ReadOp>(op); read && !written.contains(read.getVariableAttr()))
      op.moveBefore(&step.front());
  }
}

/// Moves scalar computations (learning rates, bias corrections) up to their operands, so that they do not delay
/// updates.
void Scheduler::hoistScalars() {
  for (Operation &op : llvm::make_early_inc_range(step)) {
    auto generic = dyn_cast<GenericOp>(op);
    bool isScalar = generic && generic.hasPureTensorSemantics() && generic.getNumLoops() == 0 &&
                    llvm::none_of(op.getUsers(), [](Operation *user) { return isa<device::WriteOp>(user); });
    if (!isScalar)
      continue;
    if (Operation *last = findLastDefinition(&op))
      moveAfter(&op, last);
  }
}

/// Moves the operations of each contraction's epilogue after the contraction, in their order.
void Scheduler::moveEpilogues() {
  // By operation of a kernel (a contraction, its views and epilogue): the contraction. By contraction: the kernel's
  // last operation.
  DenseMap<Operation *, Operation *> contraction, end;
  for (Operation *op : llvm::map_to_vector(step, [](Operation &op) { return &op; })) {
    bool isSums = sumsRows(op);
    if (!isSums && isSumOfProducts(op)) {
      contraction[op] = end[op] = op;
      continue;
    }
    if (!isSums && !isView(op) && (!isElementwiseOrPooling(op) || isUpdate(op)))
      continue;
    Operation *last = findLastDefinition(op);
    Operation *root = last ? contraction.lookup(last) : nullptr;
    if (!root || (isSums && !canInitializeBefore(op, root)))
      continue;
    if (isSums) {
      moveSums(op, root, end[root]);
      end[root] = op;
      continue;
    }
    moveAfter(op, end[root]);
    contraction[op] = root;
    end[root] = op;
  }
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Adds the users of a value, also through views.
static void collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    readers.push_back(user);
    if (isView(user) || isa<tensor::ExtractSliceOp>(user))
      collectReaders(user->getResult(0), readers);
  }
}

/// Moves an update up to the last reader of the old values, and with it a contraction that has no other user.
void Scheduler::moveUpdate(GenericOp update) {
  Operation *previous = findLastDefinition(update);
  if (!previous)
    return;
  Operation *gradient = previous;
  llvm::SmallDenseSet<StringAttr> written;
  for (Operation *user : update->getUsers())
    written.insert(cast<device::WriteOp>(user).getVariableAttr().getAttr());
  SmallVector<Operation *> readers;
  for (StringAttr variable : written)
    for (device::ReadOp read : reads.lookup(variable)) {
      readers.push_back(read);
      collectReaders(read.getValue(), readers);
    }
  for (Operation *reader : readers) {
    Operation *ancestor = step.findAncestorOpInBlock(*reader);
    if (ancestor == update)
      continue;
    if (order.isBefore(update, ancestor))
      return;
    if (order.isBefore(previous, ancestor))
      previous = ancestor;
  }
  moveAfter(update, previous);
  for (Operation *source = gradient;
       previous != gradient && source->hasOneUse() && (isView(source) || isSumOfProducts(source));
       source = source->getOperand(0).getDefiningOp()) {
    moveAfter(source, previous);
    if (isSumOfProducts(source) || !source->getOperand(0).getDefiningOp())
      break;
  }
}

/// Moves each insertion behind the last reader of the tensor that it changes, unless the changed one is read before.
static void delayInsertions(Block &block) {
  auto insertions = llvm::to_vector(block.getOps<tensor::InsertSliceOp>());
  if (insertions.empty())
    return;
  MovableOrder order(block);
  for (tensor::InsertSliceOp insert : insertions) {
    SmallVector<Operation *> readers;
    collectReaders(insert.getDest(), readers);
    Operation *last = insert;
    for (Operation *reader : readers)
      if (Operation *ancestor = block.findAncestorOpInBlock(*reader); ancestor && order.isBefore(last, ancestor))
        last = ancestor;
    bool isLate = llvm::all_of(
        insert->getUsers(), [&](Operation *user) { return order.isBefore(last, block.findAncestorOpInBlock(*user)); });
    if (isLate)
      order.moveAfter(insert, last);
  }
}

void Scheduler::run() {
  for (auto read : step.getOps<device::ReadOp>())
    reads[read.getVariableAttr().getAttr()].push_back(read);
  hoistScalars();
  moveEpilogues();
  for (auto generic : llvm::to_vector(step.getOps<GenericOp>()))
    if (isUpdate(generic))
      moveUpdate(generic);
}

namespace {

struct ScheduleStepPass : public plumb::impl::ScheduleStepPassBase<ScheduleStepPass> {
  void runOnOperation() override {
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([](Block *block) { duplicateFills(*block); });
      hoistReads(loop.getBody().front());
      Scheduler(loop.getBody().front()).run();
      loop.walk([](Block *block) {
        duplicateSplats(*block);
        delayInsertions(*block);
      });
    });
  }
};

} // namespace
