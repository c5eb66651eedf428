// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders a step so that code generation finds together what it can do together.
//
// * A fill that only starts an operation's result stands right before that operation, and belongs to it alone; so do equal
//   numbers that a variable is written with.
// * Work on the elements of a product follows the product: it is then done on registers, before anything is stored. Sums
//   of its rows do too; what they start from stands before the product.
// * Values of variables and computations of single numbers come early.
// * An update of variables follows the last reader of their old values, and the product that only it needs stands right
//   before it: the gradient's end is the update.
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
#include "compiler/support/UsedValues.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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
  void moveBehind(Operation *op, Operation *place);
  void moveSums(Operation *op, Operation *product, Operation *place);
  void hoistScalars();
  void gatherWork();
  void placeUpdate(GenericOp update);
  Operation *findLast(Operation *op) const;
  bool canStartBefore(Operation *op, Operation *product) const;

  Block &step;
  MovableOrder order;
  /// By variable: where it is read.
  DenseMap<StringAttr, SmallVector<device::ReadOp>> reads;
};

} // namespace

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Shape changes that cost nothing.
static bool isView(Operation *op) { return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op); }

/// What the destination of `op` starts from and nothing else needs.
static SmallVector<Operation *> getStarts(Operation *op) {
  SmallVector<Operation *> starts;
  if (auto linalgOp = dyn_cast<LinalgOp>(op))
    for (Value init : linalgOp.getDpsInits())
      if (auto fill = init.getDefiningOp<linalg::FillOp>(); fill && fill->hasOneUse() && fill->getBlock() == op->getBlock())
        starts.push_back(fill);
  return starts;
}

/// A sum of products.
static bool isProduct(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  if (!generic || generic.getNumReductionLoops() == 0 || generic.getNumDpsInits() != 1)
    return false;
  auto sum = generic.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  return sum && sum->getName().getStringRef() == "arith.addf" && llvm::any_of(sum->getOperands(), [](Value value) {
           Operation *factor = value.getDefiningOp();
           return factor && factor->getName().getStringRef() == "arith.mulf";
         });
}

/// Whether `generic` walks windows: two loops together walk a dimension of an input.
static bool walksWindows(GenericOp generic) {
  return llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    return !generic.getMatchingIndexingMap(input).isProjectedPermutation();
  });
}

/// Work on the elements of something, or on its windows. Turning a tensor is none: it does not go with registers.
static bool isElementWork(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() || isProduct(op) || isa<linalg::YieldOp>(generic.getBody()->front()))
    return false;
  return generic.getNumReductionLoops() == 0 || walksWindows(generic);
}

/// Sums of each row of a tensor, along its middle axes: neighbours are not added to each other.
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

/// Whether all that `op` computes is the next value of variables.
static bool isUpdate(Operation *op) {
  return isa<GenericOp>(op) && isElementWork(op) && !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
           return isa<device::WriteOp>(user) && user->getBlock() == op->getBlock();
         });
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

/// Gives each operation that starts from a fill a fill of its own, right before it.
static void ownFills(Block &block) {
  for (auto fill : llvm::to_vector(block.getOps<linalg::FillOp>())) {
    if (!fill.hasPureTensorSemantics())
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto user = dyn_cast<LinalgOp>(use.getOwner());
      if (!user || !user.isDpsInit(&use))
        continue;
      OpBuilder builder(user);
      Operation *own = builder.clone(*fill);
      use.set(own->getResult(0));
    }
    if (fill->use_empty())
      fill->erase();
  }
}

/// Gives each write of equal numbers (a sum that starts anew) its own, right before it: they are filled into the variable.
static void ownSplats(Block &block) {
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
// Followers
//===----------------------------------------------------------------------===//

/// Moves `op` and what it starts from right behind `place`.
void Scheduler::moveBehind(Operation *op, Operation *place) {
  for (Operation *start : getStarts(op)) {
    order.moveAfter(start, place);
    place = start;
  }
  order.moveAfter(op, place);
}

/// The first of a product and the fills that it starts from.
static Operation *getFirst(Operation *product) {
  SmallVector<Operation *> starts = getStarts(product);
  return starts.empty() ? product : starts.front();
}

/// Moves sums of a product's rows behind `place`, and what they start from before the product.
void Scheduler::moveSums(Operation *op, Operation *product, Operation *place) {
  for (Operation *start : getStarts(op))
    order.moveBefore(start, getFirst(product));
  order.moveAfter(op, place);
}

/// The operation of `step` that stands last among those that define what `op`, or what it starts from, uses; null if there
/// is none.
Operation *Scheduler::findLast(Operation *op) const {
  Operation *last = nullptr;
  SmallVector<Operation *> moved = getStarts(op);
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

/// Whether all that the starts of `op` use is there before the product and what that starts from.
bool Scheduler::canStartBefore(Operation *op, Operation *product) const {
  return llvm::all_of(getStarts(op), [&](Operation *start) {
    Operation *last = findLast(start);
    return !last || order.isBefore(last, getFirst(product));
  });
}

/// Values of variables are there from the beginning.
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

/// Computations of single numbers (rates, corrections) come as early as they can, so that updates need not wait for them.
void Scheduler::hoistScalars() {
  for (Operation &op : llvm::make_early_inc_range(step)) {
    auto generic = dyn_cast<GenericOp>(op);
    bool isScalar = generic && generic.hasPureTensorSemantics() && generic.getNumLoops() == 0 &&
                    llvm::none_of(op.getUsers(), [](Operation *user) { return isa<device::WriteOp>(user); });
    if (!isScalar)
      continue;
    if (Operation *last = findLast(&op))
      moveBehind(&op, last);
  }
}

/// Moves work on the elements of a product behind the product and other such work.
void Scheduler::gatherWork() {
  // By operation of a run (a product, its views, work on its elements): the run's product, and its end so far.
  DenseMap<Operation *, Operation *> product, end;
  for (Operation *op : llvm::map_to_vector(step, [](Operation &op) { return &op; })) {
    bool isSums = sumsRows(op);
    if (!isSums && isProduct(op)) {
      product[op] = end[op] = op;
      continue;
    }
    if (!isSums && !isView(op) && (!isElementWork(op) || isUpdate(op)))
      continue;
    Operation *last = findLast(op);
    Operation *root = last ? product.lookup(last) : nullptr;
    if (!root || (isSums && !canStartBefore(op, root)))
      continue;
    if (isSums) {
      moveSums(op, root, end[root]);
      end[root] = op;
      continue;
    }
    moveBehind(op, end[root]);
    product[op] = root;
    end[root] = op;
  }
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// The users of a value's elements, through views.
static void collectReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    readers.push_back(user);
    if (isView(user) || isa<tensor::ExtractSliceOp>(user))
      collectReaders(user->getResult(0), readers);
  }
}

/// Moves an update up, behind the last reader of the old values; the product that it alone needs comes along.
void Scheduler::placeUpdate(GenericOp update) {
  Operation *place = findLast(update);
  if (!place)
    return;
  Operation *gradient = place;
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
    if (order.isBefore(place, ancestor))
      place = ancestor;
  }
  moveBehind(update, place);
  for (Operation *source = gradient; place != gradient && source->hasOneUse() && (isView(source) || isProduct(source));
       source = source->getOperand(0).getDefiningOp()) {
    moveBehind(source, place);
    if (isProduct(source) || !source->getOperand(0).getDefiningOp())
      break;
  }
}

void Scheduler::run() {
  for (auto read : step.getOps<device::ReadOp>())
    reads[read.getVariableAttr().getAttr()].push_back(read);
  hoistScalars();
  gatherWork();
  for (auto generic : llvm::to_vector(step.getOps<GenericOp>()))
    if (isUpdate(generic))
      placeUpdate(generic);
}

namespace {

struct ScheduleStepPass : public plumb::impl::ScheduleStepPassBase<ScheduleStepPass> {
  void runOnOperation() override {
    getOperation()->walk([&](device::LoopOp loop) {
      loop.walk([](Block *block) { ownFills(*block); });
      hoistReads(loop.getBody().front());
      Scheduler(loop.getBody().front()).run();
      loop.walk([](Block *block) { ownSplats(*block); });
    });
  }
};

} // namespace
